//! The schema of a line in a game's traces: what all games write, extended with the game's own fields.

use cardsharp_env::game::Schemas;
use cardsharp_env::log::Line;
use cardsharp_env::{AnyGame, document};
use schemars::generate::Contract;
use serde_json::{Map, Value, json};

/// Returns the schema of any line.
pub(super) fn line(game: &dyn AnyGame, schemas: &Schemas) -> Value {
    let (deal, event, view) = ((schemas.deal)(), (schemas.event)(), (schemas.view)());
    let (schema, kinds) = kinds(game, &format!("A line of a trace of {}", game.title()));
    let mut lines = Vec::new();
    for (kind, mut line) in kinds {
        if line["properties"]["deal"].is_object() {
            line["properties"]["deal"] = chosen(&line["properties"]["deal"], &deal);
        }
        match kind {
            Kind::Record | Kind::Round => {}
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
pub(super) enum Kind {
    Trace,
    /// Only in event logs.
    Record,
    Both,
    /// Only in event logs, with fields of the game.
    Round,
    /// In both, with fields of the game.
    Deal,
    /// In both, with fields of the game for each event.
    Event,
}

/// Returns every kind of line without the game's fields, and the schema that contained them.
pub(super) fn kinds(game: &dyn AnyGame, title: &str) -> (Value, Vec<(Kind, Value)>) {
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
                if line["properties"]["protocol"].is_object() { Kind::Record } else { Kind::Trace }
            }
            Some("decision") => Kind::Trace,
            Some("turn" | "move" | "change" | "end") => Kind::Record,
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
pub(super) fn any_of(mut schema: Value, lines: Vec<Value>, parts: [&Value; 3]) -> Value {
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

/// Adds the fields in the schema `told` to a line.
pub(super) fn with_fields_of(mut line: Value, told: &Value) -> Value {
    if let (Some(fields), Some(more)) = (line["properties"].as_object_mut(), told["properties"].as_object()) {
        fields.extend(more.clone());
    }
    if let (Some(required), Some(more)) = (line["required"].as_array_mut(), told["required"].as_array()) {
        required.extend(more.iter().cloned());
    }
    for key in ["description", "dependentRequired", "oneOf"] {
        if let Some(value) = told.get(key) {
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
