mod page;

use cardsharp_env::{AnyGame, teacher};
use serde_json::{Value, json};

use crate::args::{GameArg, RulesArgs};
use crate::error::CliError;
use crate::games;
use crate::output::{Output, StyledText};
use crate::terminal;

/// Show the rules of a game, with all options.
///
/// With --rules, --set or --players, the options that differ from the default rules come first. On a terminal, long texts
/// open in the pager from the variable PAGER, otherwise in `less`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp rules taki
  cardsharp rules tachtigen --rules rotterdam
  cardsharp rules tahimi --set deuces_high=true
  cardsharp rules dalmuti --json")]
pub(crate) struct Rules {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    #[command(flatten)]
    rules: RulesArgs,
}

impl Rules {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let game = self.game.0;
        let rules = self.rules.resolve(game, None)?;
        let Some(page) = markdown(game) else {
            let explained =
                games::all().played().map(|game| game.name()).filter(|name| teacher(name).is_some());
            let expected =
                format!("expected a game with a rules text: {}", explained.collect::<Vec<_>>().join(", "));
            return Err(CliError::Option { option: "GAME", given: game.name().to_owned(), expected });
        };
        if out.json {
            let here: Vec<Value> = unusual(game, rules.json()).map(|option| option.json()).collect();
            return out.json_page(&json!({
                "game": game.name(), "title": game.title(), "markdown": page, "here": here, "rules": rules.json(),
            }));
        }
        show(out, game, rules.json())
    }
}

/// Returns the rules page of a game; `None` for a game without a rules text.
pub(crate) fn markdown(game: &dyn AnyGame) -> Option<&'static str> {
    teacher(game.name()).map(|teacher| teacher.rules())
}

/// Shows the options that differ from the default at a table with `rules`, and the page of the game if there is one.
pub(crate) fn show(out: &mut Output, game: &dyn AnyGame, rules: &Value) -> Result<(), CliError> {
    let text = text(out, game, rules, terminal::width());
    out.flush()?;
    match terminal::paged(&text.written()) {
        true => Ok(()),
        false => out.text(text),
    }
}

/// Returns the options that differ from the default, and the page of the game, in lines of `width` characters.
pub(crate) fn text(out: &Output, game: &dyn AnyGame, rules: &Value, width: usize) -> StyledText {
    let mut text = StyledText::empty();
    let line = |text: StyledText, line: StyledText| text.then(line).then("\n");
    text = line(text, out.bold(format!("{} at this table", game.title())));
    let mut usual = true;
    for option in unusual(game, rules) {
        usual = false;
        let said =
            format!("{} = {} (default {}): {}", option.name, option.here, option.default, option.meaning);
        for row in terminal::wrapped(&said, width, "  ") {
            text = line(text, row.into());
        }
    }
    if usual {
        text = line(text, "  Default rules: every option has its default.".into());
    }
    for page::PageLine { heading, text: row } in page::lines(markdown(game).unwrap_or_default(), width) {
        let row = if heading { out.bold(row) } else { row.into() };
        text = line(text, row);
    }
    text
}

/// An option whose value is not the default.
struct Unusual<'a> {
    name: &'static str,
    here: &'a Value,
    default: Value,
    meaning: &'static str,
}

impl Unusual<'_> {
    fn json(&self) -> Value {
        json!({ "option": self.name, "value": self.here, "default": self.default, "meaning": self.meaning })
    }
}

fn unusual<'a>(game: &dyn AnyGame, rules: &'a Value) -> impl Iterator<Item = Unusual<'a>> {
    let defaults = game.default_rules();
    game.options().iter().filter(|option| !option.shaping).filter_map(move |option| {
        let (here, default) = (&rules[option.name], defaults.json()[option.name].clone());
        (*here != default).then_some(Unusual { name: option.name, here, default, meaning: option.meaning })
    })
}
