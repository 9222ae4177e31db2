//! Schemas of what the program reads and writes.

use cardsharp_env::game::Schemas;
use cardsharp_env::log::Line;
use cardsharp_env::rules::schema as of_rules;
use cardsharp_env::{AnyGame, SCHEMAS, document};
use schemars::generate::Contract;
use serde_json::{Map, Value, json};

use crate::error::CliError;

/// What has a schema.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum What {
    /// Rules files of the game
    Rules,
    /// Views of the game
    View,
    /// A line of the game's traces
    Trace,
    /// A line of a seat's event log of the game
    Record,
    /// The JSON files in a bundle, with a field for each
    Bundle,
    /// Configurations of training runs
    #[cfg(feature = "train")]
    Config,
    /// Sweep files
    #[cfg(feature = "train")]
    Sweep,
}

impl What {
    /// The word on the command line.
    const fn word(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::View => "view",
            Self::Trace => "trace",
            Self::Record => "record",
            Self::Bundle => "bundle",
            #[cfg(feature = "train")]
            Self::Config => "config",
            #[cfg(feature = "train")]
            Self::Sweep => "sweep",
        }
    }

    fn refused(self, expected: &str) -> CliError {
        CliError::Option { option: "--schema", given: self.word().to_owned(), expected: expected.to_owned() }
    }
}

/// Returns the schemas of a game that ships with the program.
pub(super) fn of(game: &dyn AnyGame) -> Result<&'static Schemas, CliError> {
    let expected = "expected a game that ships with the program";
    SCHEMAS.iter().find(|schemas| schemas.game == game.name()).ok_or_else(|| What::View.refused(expected))
}

/// Returns a schema. Some kinds need a game, the others refuse one.
pub(super) fn schema(what: What, game: Option<&dyn AnyGame>) -> Result<Value, CliError> {
    let of_a_game = || {
        game.ok_or_else(|| {
            what.refused(&format!("expected a game, like `describe dalmuti --schema {}`", what.word()))
        })
    };
    let of_all = || match game {
        None => Ok(()),
        Some(_) => Err(what.refused("expected no game: the schema is the same for all games")),
    };
    Ok(match what {
        What::Rules => of_rules(of_a_game()?.title(), of_a_game()?.options()),
        What::View => (of(of_a_game()?)?.view)(),
        What::Trace => trace_line(of_a_game()?, of(of_a_game()?)?),
        What::Record => event_log_line(of_a_game()?, of(of_a_game()?)?),
        What::Bundle => {
            of_all()?;
            cardsharp_bot::bundle::schema()
        }
        #[cfg(feature = "train")]
        What::Config => {
            of_all()?;
            cardsharp_trainer::config::Config::schema()
        }
        #[cfg(feature = "train")]
        What::Sweep => {
            of_all()?;
            cardsharp_trainer::sweep::SweepFile::schema()
        }
    })
}

/// Returns the schema of a line in a game's traces: what all games write, extended with the game's own fields.
fn trace_line(game: &dyn AnyGame, schemas: &Schemas) -> Value {
    let (deal, event, view) = ((schemas.deal)(), (schemas.event)(), (schemas.view)());
    let (schema, kinds) = kinds(game, &format!("A line of a trace of {}", game.title()));
    let mut lines = Vec::new();
    for (kind, mut line) in kinds {
        if line["properties"]["deal"].is_object() {
            line["properties"]["deal"] = chosen(&line["properties"]["deal"], &deal);
        }
        match kind {
            Kind::EventLog | Kind::Round => {}
            Kind::Trace | Kind::Both => lines.push(line),
            Kind::Deal => lines.push(with_fields_of(line, &deal)),
            Kind::Event => {
                let events = event["oneOf"].as_array().into_iter().flatten();
                lines.extend(events.map(|event| with_fields_of(line.clone(), event)));
            }
        }
    }
    any_of(schema, lines, [&view, &deal, &event])
}

/// Which files have a line of this kind, and whether the game adds fields.
enum Kind {
    Trace,
    /// Only in event logs.
    EventLog,
    Both,
    /// Only in event logs, with fields of the game.
    Round,
    /// In both, with fields of the game.
    Deal,
    /// In both, with fields of the game for each event.
    Event,
}

/// Returns every kind of line without the game's fields, and the schema that contained them.
fn kinds(game: &dyn AnyGame, title: &str) -> (Value, Vec<(Kind, Value)>) {
    let mut schema = document::<Line>(title, Contract::Serialize);
    let kinds = schema["oneOf"].take();
    let line = |mut line: Value| {
        line["additionalProperties"] = json!(false);
        let kind = match line["properties"]["line"]["const"].as_str() {
            Some("header") => {
                line["properties"]["game"] =
                    json!({ "const": game.name(), "description": "The game's name." });
                line["properties"]["rules"] =
                    json!({ "$ref": "#/$defs/Rules", "description": "Every option of the game." });
                if line["properties"]["protocol"].is_object() { Kind::EventLog } else { Kind::Trace }
            }
            Some("decision") => Kind::Trace,
            Some("turn" | "move" | "change" | "end") => Kind::EventLog,
            Some("round") => Kind::Round,
            Some("deal") => Kind::Deal,
            Some("event") => Kind::Event,
            _ => Kind::Both,
        };
        (kind, line)
    };
    let lines = kinds.as_array().into_iter().flatten().cloned().map(line).collect();
    (schema, lines)
}

/// Combines `lines` as alternatives in `schema`, with the definitions in `parts` that they reference.
fn any_of(mut schema: Value, lines: Vec<Value>, parts: [&Value; 3]) -> Value {
    schema["oneOf"] = json!(lines);
    let mut all = Map::new();
    for part in parts.into_iter().chain([&schema]) {
        all.extend(part["$defs"].as_object().cloned().unwrap_or_default());
    }
    let used = used(&schema["oneOf"], &all);
    schema["$defs"] = json!(used);
    schema
}

/// Returns the schema of a field that holds a deal.
fn chosen(field: &Value, deal: &Value) -> Value {
    let mut schema = deal.clone();
    for key in ["$schema", "$defs", "title"] {
        schema.as_object_mut().map(|fields| fields.remove(key));
    }
    schema["description"] = field["description"].clone();
    schema
}

/// Adds the fields in the schema `more` to a line.
fn with_fields_of(mut line: Value, more: &Value) -> Value {
    if let (Some(fields), Some(added)) = (line["properties"].as_object_mut(), more["properties"].as_object())
    {
        fields.extend(added.clone());
    }
    if let (Some(required), Some(added)) = (line["required"].as_array_mut(), more["required"].as_array()) {
        required.extend(added.iter().cloned());
    }
    for key in ["description", "dependentRequired", "oneOf"] {
        if let Some(value) = more.get(key) {
            line[key] = value.clone();
        }
    }
    line
}

/// Returns the definitions that a schema references, directly or through others.
fn used(schema: &Value, all: &Map<String, Value>) -> Map<String, Value> {
    let mut used = Map::new();
    let mut open = vec![schema];
    while let Some(next) = open.pop() {
        match next {
            Value::Object(fields) => {
                let name =
                    fields.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
                if let Some((name, part)) = name.and_then(|name| all.get_key_value(name))
                    && used.insert(name.clone(), part.clone()).is_none()
                {
                    open.push(part);
                }
                open.extend(fields.values());
            }
            Value::Array(list) => open.extend(list),
            _ => {}
        }
    }
    used
}

/// Returns the schema of a line in an event log, of a seat or of spectators: that of traces without hidden information.
fn event_log_line(game: &dyn AnyGame, schemas: &Schemas) -> Value {
    let (deal, event, view) = ((schemas.deal)(), (schemas.event)(), (schemas.view)());
    let (schema, kinds) = kinds(game, &format!("A line of an event log of {}", game.title()));
    let mut lines = Vec::new();
    for (kind, line) in kinds {
        match kind {
            Kind::Trace => {}
            Kind::EventLog | Kind::Both => lines.push(line),
            Kind::Round => lines.push(with_fields_of(line, &seated(&deal))),
            Kind::Deal => lines.push(with_fields_of(line, &dealt(&deal))),
            Kind::Event => {
                let events = event["oneOf"].as_array().into_iter().flatten();
                lines.extend(events.map(|event| with_fields_of(line.clone(), &happened(event))));
            }
        }
    }
    any_of(schema, lines, [&view, &deal, &event])
}

/// Returns the schema of the event before the deal: who joined, who left, and the seating.
fn seated(deal: &Value) -> Value {
    let mut schema = deal.clone();
    keep(&mut schema, |field| matches!(field, "left" | "joined" | "order"));
    schema["description"] = json!("The start of a round with a decision before the deal: the seating.");
    schema
}

/// Returns the schema of a deal as one seat sees it: its own cards, and how many cards the others have.
fn dealt(deal: &Value) -> Value {
    let mut schema = deal.clone();
    let hand = deal["properties"]["hands"]["items"].clone();
    keep(&mut schema, |field| !matches!(field, "hands" | "kitty" | "board"));
    let fields = &mut schema["properties"];
    fields["hand"] = hand;
    fields["hand"]["description"] =
        json!("The seat's own cards; none if the seat sits the round out or only watches.");
    fields["sizes"] = json!({
        "type": "array", "items": { "type": "integer", "minimum": 0 },
        "description": "How many cards each seat was dealt, if the numbers differ.",
    });
    number(&mut schema, "pile", "Cards in the draw pile.");
    schema["description"] = json!("The start of a round: the part of the deal that the seat may know.");
    schema
}

/// Returns the schema of an event as one seat sees it: numbers replace hidden cards.
fn happened(event: &Value) -> Value {
    if event["properties"]["kitty"].is_object() && event["properties"]["hands"].is_object() {
        let again = event["description"].clone();
        let mut schema = dealt(event);
        schema["description"] = again;
        return schema;
    }
    let mut schema = event.clone();
    number(&mut schema, "pile", "Cards in the new draw pile.");
    if schema["properties"]["cards"].is_object() {
        schema["properties"]["count"] = json!({ "type": "integer", "minimum": 0, "description": "How many cards, \
            instead of `cards`." });
        schema["oneOf"] = json!([{ "required": ["cards"] }, { "required": ["count"] }]);
    }
    may_lack(&mut schema, &["cards", "replacement"]);
    schema
}

/// Keeps only the fields for which `is_kept` is true.
fn keep(schema: &mut Value, is_kept: impl Fn(&str) -> bool) {
    if let Some(fields) = schema["properties"].as_object_mut() {
        fields.retain(|field, _| is_kept(field));
    }
    if let Some(required) = schema["required"].as_array_mut() {
        required.retain(|field| field.as_str().is_some_and(&is_kept));
    }
}

/// Makes fields optional that some seats do not receive.
fn may_lack(schema: &mut Value, fields: &[&str]) {
    if let Some(required) = schema["required"].as_array_mut() {
        required.retain(|field| field.as_str().is_none_or(|field| !fields.contains(&field)));
    }
}

/// Replaces the cards in `field` by their number, if the field exists.
fn number(schema: &mut Value, field: &str, meaning: &str) {
    if schema["properties"][field].is_object() {
        schema["properties"][field] = json!({ "type": "integer", "minimum": 0, "description": meaning });
    }
}
