//! From a document to a configuration: names, types, ranges, rules, in this order.

use std::fs::File;
use std::io;
use std::path::Path;

use cardsharp_bot::disk;
use cardsharp_bot::file::{MAX_FILE, MAX_HEADER};
use cardsharp_bot::text::{TextError, read as read_text};
use cardsharp_document::{ConfigError, ConfigProblem, Document, MAX_TEXT, Node, NodeValue, leaves, rules};
use cardsharp_env::rules::nearest;
use cardsharp_env::{AnyGame, Games};
use serde_json::{Map, Value, json};

use super::{Config, SEED, old_names};
use crate::algorithms::Schedule;
use crate::evaluate::EvaluateTable;
use crate::rollout::TableConfig;

impl Config {
    /// Reads a file; then applies `overrides`, each `key=value` with a path of names as key
    /// (`ppo.clip`, `rollout.tables.0.rules.players`) and a TOML value, and fills in all defaults,
    /// those of the game's rules too.
    ///
    /// # Errors
    /// The first mistake, with its place and, for names, the nearest right one.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Self, ConfigError> {
        Self::read_among(&Games::shipped(), path, overrides)
    }

    /// As [`Config::read`], for one of these games.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn read_among(games: &Games, path: &Path, overrides: &[String]) -> Result<Self, ConfigError> {
        Self::parse_among(games, &path.display().to_string(), &text(path)?, overrides)
    }

    /// As [`Config::read`], from the text of a file called `name` in messages.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn parse(name: &str, text: &str, overrides: &[String]) -> Result<Self, ConfigError> {
        Self::parse_among(&Games::shipped(), name, text, overrides)
    }

    /// As [`Config::parse`], for one of these games.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn parse_among(
        games: &Games,
        name: &str,
        text: &str,
        overrides: &[String],
    ) -> Result<Self, ConfigError> {
        let document = Document::parse(name, text, overrides)?;
        let defaults = json!(Self::default());
        let mut walk = Walk {
            document: &document,
            defaults: &defaults,
            config: Self::default(),
            so_far: defaults.clone(),
        };
        walk.node(&document.root, &defaults, &[])?;
        let mut config = Config { games: games.clone(), ..walk.config };
        let game = game(&document, &config)?;
        config.check().map_err(|error| {
            let path = error.field.replace('[', ".").replace(']', "");
            let problem = ConfigProblem::Value {
                field: path.clone(),
                given: error.given,
                expected: error.expected.to_owned(),
            };
            document.error_at(&path.split('.').collect::<Vec<_>>(), problem)
        })?;
        check_size(&document, game, &config)?;
        fill_rules(&document, game, &mut config)?;
        Ok(config)
    }
}

/// Returns the text of a file. One of more than [`MAX_TEXT`] bytes is refused, and so is a device without an end.
pub(crate) fn text(path: &Path) -> Result<String, ConfigError> {
    let read = match path == Path::new(disk::STANDARD) {
        true => read_text(io::stdin().lock(), MAX_TEXT),
        false => File::open(path).map_err(TextError::from).and_then(|file| read_text(file, MAX_TEXT)),
    };
    read.map_err(|error| {
        let problem = match error {
            TextError::TooLarge { .. } => ConfigProblem::TooLong,
            error => ConfigProblem::Unreadable(disk::unopened(path, error.into())),
        };
        ConfigError::whole(&path.display().to_string(), problem)
    })
}

/// Refuses a policy network that no bot's file could hold: its first checkpoint could not be written.
fn check_size(document: &Document<'_>, game: &dyn AnyGame, config: &Config) -> Result<(), ConfigError> {
    let (policy, _) = config.shapes(game);
    // Besides the network's numbers a file holds one scale for each input.
    let (size, most) = (4 * (policy.len() + policy.inputs) as u64, MAX_FILE - MAX_HEADER);
    if size <= most {
        return Ok(());
    }
    let given = format!("{:?}", config.net.hidden);
    let expected = format!(
        "expected fewer or smaller layers: this network has {} MiB with its inputs and outputs, and a bot file has at \
         most {} MiB",
        size.div_ceil(1 << 20),
        most >> 20
    );
    let problem = ConfigProblem::Value { field: "net.hidden".to_owned(), given, expected };
    Err(document.error_at(&["net", "hidden"], problem))
}

/// A walk through a document beside the defaults, which say what fields there are.
struct Walk<'d> {
    document: &'d Document<'d>,
    defaults: &'d Value,
    /// The defaults with all fields met so far.
    so_far: Value,
    config: Config,
}

impl Walk<'_> {
    /// `shape` holds the names of all fields at `path`.
    fn node(&mut self, node: &Node, shape: &Value, path: &[&str]) -> Result<(), ConfigError> {
        if let (NodeValue::List(entries), Some(shape)) = (&node.kind, entry(path)) {
            self.put(node, path, Value::from(vec![shape.clone(); entries.len()]))?;
            for (number, entry) in entries.iter().enumerate() {
                self.node(entry, &shape, &[path, &[&number.to_string()]].concat())?;
            }
            return Ok(());
        }
        match (&node.kind, shape) {
            (NodeValue::Table(entries), shape) if is_schedule(shape) => self.schedule(node, entries, path),
            // The game knows the names of its options.
            (NodeValue::Table(entries), Value::Object(fields)) if !path.ends_with(&["rules"]) => {
                for (name, entry) in entries {
                    let Some(shape) = fields.get(name) else {
                        let unknown = || (entry, self.unknown(name, path, fields));
                        let (entry, problem) = old_names::field(path, name, entry).unwrap_or_else(unknown);
                        return Err(self.document.error(&entry.name, problem));
                    };
                    self.node(entry, shape, &[path, &[name]].concat())?;
                }
                Ok(())
            }
            _ => self.put(node, path, node.value()),
        }
    }

    /// A schedule that is written as a table: as a whole, because a value of the defaults does not go with one that is
    /// written here.
    fn schedule(
        &mut self,
        node: &Node,
        entries: &[(String, Node)],
        path: &[&str],
    ) -> Result<(), ConfigError> {
        let fields: Map<String, Value> =
            Schedule::FIELDS.iter().map(|&field| (field.to_owned(), Value::Null)).collect();
        if let Some((name, entry)) = entries.iter().find(|(name, _)| !fields.contains_key(name)) {
            return Err(self.document.error(&entry.name, self.unknown(name, path, &fields)));
        }
        for (name, which) in [("from", "first"), ("to", "last")] {
            if node.get(name).is_none() {
                let field = [path, &[name]].concat().join(".");
                let expected = format!(
                    "expected the value in the {which} iteration, like {{ from = 0.001, to = 0.00001 }}; a value that \
                     does not change is a plain number"
                );
                return Err(self.document.error(&node.origin, ConfigProblem::Missing { field, expected }));
            }
        }
        self.put(node, path, json!(Schedule::constant(0.0)))?;
        entries.iter().try_for_each(|(name, entry)| {
            // What is left out of the text is left out of a schedule's JSON, too.
            if let Some(Value::Object(schedule)) = place(&mut self.so_far, path) {
                schedule.entry(name.as_str()).or_insert(Value::Null);
            }
            self.put(entry, &[path, &[name]].concat(), entry.value())
        })
    }

    /// Sets one field; if the whole does not fit its type any more, this field is to blame.
    fn put(&mut self, node: &Node, path: &[&str], value: Value) -> Result<(), ConfigError> {
        let given = value.to_string();
        let old = old_names::value(path, &value);
        let fits = match place(&mut self.so_far, path) {
            Some(place) => {
                *place = value;
                Config::deserialize_from(&self.so_far)
            }
            None => Err("expected another kind of value".to_owned()),
        };
        self.config = fits.map_err(|expected| {
            let expected = if path == ["seed"] { SEED.to_owned() } else { expected };
            let value = || ConfigProblem::Value { field: path.join("."), given, expected };
            self.document.error(&node.origin, old.unwrap_or_else(value))
        })?;
        Ok(())
    }

    fn unknown(&self, field: &str, section: &[&str], fields: &Map<String, Value>) -> ConfigProblem {
        let here = nearest(field, fields.keys().map(String::as_str)).map(str::to_owned);
        let mut all = Vec::new();
        leaves("", self.defaults, &mut all);
        // A right name in the wrong section is likelier meant than a similar one in this.
        let elsewhere = all.into_iter().map(|(path, _)| path);
        let elsewhere = elsewhere.into_iter().find(|path| path.rsplit('.').next() == Some(field));
        ConfigProblem::Unknown {
            field: field.to_owned(),
            section: section.join("."),
            nearest: elsewhere.or(here),
            known: fields.keys().cloned().collect(),
        }
    }
}

/// What is at a path of names and numbers.
fn place<'v>(of: &'v mut Value, path: &[&str]) -> Option<&'v mut Value> {
    path.iter().try_fold(of, |at, key| match at {
        Value::Object(fields) => fields.get_mut(*key),
        Value::Array(list) => list.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Whether the default of a field is a schedule.
pub(super) fn is_schedule(default: &Value) -> bool {
    default.as_object().is_some_and(|fields| fields.contains_key("from"))
}

impl Config {
    /// The typed configuration, or what would have been right.
    pub(super) fn deserialize_from(value: &Value) -> Result<Self, String> {
        serde::Deserialize::deserialize(value).map_err(|error: serde_json::Error| {
            let message = error.to_string();
            let Some((_, expected)) = message.rsplit_once(", expected ") else { return message };
            let expected = match expected {
                "f32" | "f64" => "a number",
                "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, at least 0",
                "a string" => "a text in quotes",
                "a boolean" => "true or false",
                "a sequence" => "a list",
                "a map" => "a table",
                other if other.starts_with("struct ") => "a table",
                other => other,
            };
            format!("expected {expected}")
        })
    }
}

fn game(document: &Document<'_>, config: &Config) -> Result<&'static dyn AnyGame, ConfigError> {
    if let Some(game) = config.game() {
        return Ok(game);
    }
    let names: Vec<_> = config.games.played().map(|game| game.name()).collect();
    let mut expected = format!("expected one of the games: {}", names.join(", "));
    if document.root.get("game").is_none() {
        return Err(document.error_at(&[], ConfigProblem::Missing { field: "game".to_owned(), expected }));
    }
    if let Some(name) = nearest(&config.game, names) {
        expected = format!("{expected}; did you mean `{name}`?");
    }
    let given = Value::from(config.game.as_str()).to_string();
    Err(document.error_at(&["game"], ConfigProblem::Value { field: "game".to_owned(), given, expected }))
}

/// The fields of an entry, with their defaults, of the list of tables at `path`, if there is one.
pub(super) fn entry(path: &[&str]) -> Option<Value> {
    match path {
        ["rollout", "tables"] => Some(json!(TableConfig { weight: 1.0, rules: Map::new() })),
        ["evaluate", "tables"] => Some(json!(EvaluateTable::default())),
        _ => None,
    }
}

/// Checks the rules and fills in the game's defaults.
fn fill_rules(document: &Document<'_>, game: &dyn AnyGame, config: &mut Config) -> Result<(), ConfigError> {
    if config.rollout.tables.is_empty() {
        config.rollout.tables.push(TableConfig { weight: 1.0, rules: Map::new() });
    }
    for (number, table) in config.rollout.tables.iter_mut().enumerate() {
        table.rules =
            rules(document, game, &table.rules, &["rollout", "tables", &number.to_string(), "rules"])?;
    }
    config.evaluate.rules = match config.evaluate.rules.is_empty() {
        true => config.rollout.tables[0].rules.clone(),
        false => rules(document, game, &config.evaluate.rules, &["evaluate", "rules"])?,
    };
    for (number, table) in config.evaluate.tables.iter_mut().enumerate() {
        table.rules =
            rules(document, game, &table.rules, &["evaluate", "tables", &number.to_string(), "rules"])?;
    }
    Ok(())
}
