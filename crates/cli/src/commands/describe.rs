#[cfg(feature = "train")]
mod config;
mod fields;
mod metrics;
mod schemas;

use cardsharp_env::blocks::{Block, width};
use cardsharp_env::game::ABOUT_LABELS;
use cardsharp_env::rules::{OptionDoc, RuleSet};
use cardsharp_env::{ActionId, AnyGame, rule_sets};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use crate::args::{GameArg, ToArg, UnknownGame};
use crate::error::CliError;
use crate::games;
use crate::output::Output;
use crate::tables;

use schemas::What;

/// Describe a game's options, actions and observations, the fields of a configuration, or metrics.
///
/// `cardsharp describe config` lists every field of a training configuration, `describe metrics` every metric of a run.
/// --schema prints JSON schemas of files.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp describe dalmuti
  cardsharp describe dalmuti --json
  cardsharp describe dalmuti --schema > dalmuti-rules.schema.json
  cardsharp describe dalmuti --schema view
  cardsharp describe --schema bundle
  cardsharp describe config
  cardsharp describe metrics
  cardsharp describe dalmuti --markdown > encodings.md
  cardsharp describe dalmuti --fields > views.md")]
pub(crate) struct Describe {
    /// The game, `config` or `metrics`
    #[arg(value_name = "GAME", value_parser = Subject::parser(), required_unless_present = "schema")]
    subject: Option<Subject>,
    /// Print the documentation page (Markdown)
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Print the documentation page of all fields of the game's views (Markdown)
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    fields: bool,
    /// Print a JSON schema, by default of the game's rules files
    #[arg(
        long, value_name = "WHAT", value_enum, num_args = 0..=1, default_missing_value = "rules",
        conflicts_with_all = ["json", "markdown", "fields"]
    )]
    schema: Option<What>,
    #[command(flatten)]
    pub(crate) to: ToArg,
}

/// The subject of a description.
#[derive(Clone, Copy)]
enum Subject {
    Game(GameArg),
    #[cfg(feature = "train")]
    Config,
    /// Metrics of training runs.
    Metrics,
}

impl Subject {
    fn parser() -> impl TypedValueParser<Value = Self> {
        let games = games::all().iter().map(|game| PossibleValue::new(game.name()).hide(game.is_reference()));
        let config = cfg!(feature = "train").then(|| PossibleValue::new("config"));
        let values = games.chain(config).chain([PossibleValue::new("metrics")]);
        PossibleValuesParser::new(values).try_map(|name| match (games::game(&name), name.as_str()) {
            (Some(game), _) => Ok::<_, UnknownGame>(Self::Game(GameArg(game))),
            #[cfg(feature = "train")]
            (None, "config") => Ok(Self::Config),
            (None, "metrics") => Ok(Self::Metrics),
            (None, _) => Err(UnknownGame(name)),
        })
    }
}

impl Describe {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        if let Some(what) = self.schema {
            let game = match self.subject {
                Some(Subject::Game(GameArg(game))) => Some(game),
                _ => None,
            };
            return out.json_page(&schemas::schema(what, game)?);
        }
        let game = match self.subject {
            Some(Subject::Game(GameArg(game))) => game,
            Some(_) if self.fields => {
                let (given, expected) =
                    ("used without a game", "expected a game; `describe config` lists all fields without it");
                return Err(CliError::Option {
                    option: "--fields",
                    given: given.to_owned(),
                    expected: expected.to_owned(),
                });
            }
            #[cfg(feature = "train")]
            Some(Subject::Config) => return config::show(out, self.markdown),
            Some(Subject::Metrics) => return metrics::show(out, self.markdown),
            // The parser requires a subject if there is no `--schema`.
            None => return Ok(()),
        };
        if self.fields {
            return out.text(fields::page(game)?);
        }
        if out.json {
            return out.json_page(&page(game));
        }
        if self.markdown {
            return out.text(markdown(game));
        }
        let (few, many) = (game.players().start().to_owned(), game.players().end().to_owned());
        out.line(out.bold(game.title()))?;
        out.line(format!("{few} to {many} players; encoding {}", game.encoding()))?;
        for (title, docs) in options(game) {
            out.line(out.bold(format!("\n{title}")))?;
            out.line(tables::table(OPTIONS, &[], docs.iter().map(|doc| option(doc))))?;
        }
        if !rule_sets(game.name()).is_empty() {
            out.line(out.bold("\nRule sets for --rules"))?;
            out.line(tables::table(RULE_SETS, &[], rule_sets(game.name()).iter().map(rule_set)))?;
        }
        for (title, table) in blocks(game) {
            out.line(out.bold(format!("\n{title}: {}", width(table))))?;
            out.line(tables::table(BLOCKS, &[1, 2, 3], table.iter().map(block)))?;
        }
        out.line(format!("\n--json lists the label of every action. {ABOUT_LABELS}"))
    }
}

const OPTIONS: &[&str] = &["option", "values", "meaning"];
const RULE_SETS: &[&str] = &["rule set", "meaning"];
const BLOCKS: &[&str] = &["block", "first", "length", "maximum", "meaning"];

fn rule_set(set: &RuleSet) -> Vec<String> {
    vec![set.name.to_owned(), set.about()]
}

fn blocks(game: &dyn AnyGame) -> [(&'static str, &'static [Block]); 3] {
    [
        ("Actions", game.actions()),
        ("Observation cells", game.observation()),
        ("Hidden cells, for a critic in training", game.hidden()),
    ]
}

/// Groups the options: those of play, and those that shape only rows or rewards. Empty groups are left out.
fn options(game: &dyn AnyGame) -> Vec<(&'static str, Vec<&'static OptionDoc>)> {
    let (shaping, play): (Vec<_>, Vec<_>) = game.options().iter().partition(|option| option.shaping);
    let all = [("Options", play), ("Options that shape only rows or rewards", shaping)];
    all.into_iter().filter(|(_, docs)| !docs.is_empty()).collect()
}

fn option(doc: &OptionDoc) -> Vec<String> {
    vec![doc.name.to_owned(), doc.values.to_string(), doc.meaning.to_owned()]
}

fn block(b: &Block) -> Vec<String> {
    let numbers = [b.offset, b.len, usize::from(b.max)].map(|n| n.to_string());
    [b.name.to_owned()].into_iter().chain(numbers).chain([b.meaning.to_owned()]).collect()
}

fn page(game: &dyn AnyGame) -> Value {
    let labels = (0..width(game.actions()) as u16).map(|id| game.label(ActionId(id)));
    json!({
        "game": game.name(),
        "title": game.title(),
        "encoding": game.encoding(),
        "players": [game.players().start(), game.players().end()],
        "options": game.options(),
        "rule_sets": rule_sets(game.name()).iter().map(|set| json!({ "name": set.name, "about": set.about() })).collect::<Vec<_>>(),
        "actions": game.actions(),
        "about_labels": ABOUT_LABELS,
        "labels": labels.collect::<Vec<_>>(),
        "observation": game.observation(),
        "hidden": game.hidden(),
    })
}

fn markdown(game: &dyn AnyGame) -> String {
    let name = game.name();
    let (few, many) = (game.players().start().to_owned(), game.players().end().to_owned());
    let mut text = format!(
        "# {}: options and encodings\n\n\
         Generated by `cardsharp describe {name} --markdown`; do not edit. `.ci/run` compares it with the code.\n\n\
         {few} to {many} players. Encoding version {}: raised when an action id or an observation cell changes its\n\
         meaning.\n\n\
         A rules file (`--rules FILE`) is TOML with any of these keys; those left out keep their defaults.\n",
        game.title(),
        game.encoding(),
    );
    let code = |mut row: Vec<String>| {
        row[0] = format!("`{}`", row[0]);
        row
    };
    for (title, docs) in options(game) {
        text += &format!("\n## {title}\n\n");
        text += &tables::markdown(OPTIONS, docs.iter().map(|doc| option(doc)).map(code));
    }
    if !rule_sets(game.name()).is_empty() {
        text += "\n## Rule sets\n\n`--rules NAME` plays by one of these.\n\n";
        text += &tables::markdown(RULE_SETS, rule_sets(game.name()).iter().map(rule_set).map(code));
    }
    for (title, table) in blocks(game) {
        text += &format!("\n## {title}: {}\n\n", width(table));
        text += &tables::markdown(BLOCKS, table.iter().map(block).map(code));
    }
    text += &format!(
        "\n## Labels\n\n`cardsharp describe {name} --json` and a bundle's `actions.json` list the label of every action. {ABOUT_LABELS}\n"
    );
    text
}
