//! The schema of a line in an event log, of a seat or of spectators: that of traces without hidden information.

use cardsharp_env::AnyGame;
use cardsharp_env::game::Schemas;
use serde_json::{Value, json};

use super::trace::{Kind, any_of, kinds, with_fields_of};

/// Returns the schema of any line.
pub(super) fn line(game: &dyn AnyGame, schemas: &Schemas) -> Value {
    let (deal, event, view) = ((schemas.deal)(), (schemas.event)(), (schemas.view)());
    let (schema, kinds) = kinds(game, &format!("A line of a record of {}", game.title()));
    let mut lines = Vec::new();
    for (kind, line) in kinds {
        match kind {
            Kind::Trace => {}
            Kind::Record | Kind::Both => lines.push(line),
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
    let mut told = deal.clone();
    keep(&mut told, |field| matches!(field, "left" | "joined" | "order"));
    told["description"] = json!("The start of a round with a decision before the deal: the seating.");
    told
}

/// Returns the schema of a deal as one seat sees it: its own cards, and how many cards the others have.
fn dealt(deal: &Value) -> Value {
    let mut told = deal.clone();
    let hand = deal["properties"]["hands"]["items"].clone();
    keep(&mut told, |field| !matches!(field, "hands" | "kitty" | "board"));
    let fields = &mut told["properties"];
    fields["hand"] = hand;
    fields["hand"]["description"] =
        json!("The seat's own cards; none if the seat sits the round out or only watches.");
    fields["sizes"] = json!({
        "type": "array", "items": { "type": "integer", "minimum": 0 },
        "description": "How many cards each seat was dealt, if the numbers differ.",
    });
    number(&mut told, "pile", "Cards in the draw pile.");
    told["description"] = json!("The start of a round: the part of the deal that the seat may know.");
    told
}

/// Returns the schema of an event as one seat sees it: numbers replace hidden cards.
fn happened(event: &Value) -> Value {
    if event["properties"]["kitty"].is_object() && event["properties"]["hands"].is_object() {
        let again = event["description"].clone();
        let mut told = dealt(event);
        told["description"] = again;
        return told;
    }
    let mut told = event.clone();
    number(&mut told, "pile", "Cards in the new draw pile.");
    if told["properties"]["cards"].is_object() {
        told["properties"]["count"] = json!({ "type": "integer", "minimum": 0, "description": "How many cards, \
            instead of `cards`." });
        told["oneOf"] = json!([{ "required": ["cards"] }, { "required": ["count"] }]);
    }
    may_lack(&mut told, &["cards", "replacement"]);
    told
}

/// Keeps only the fields for which `is_kept` is true.
fn keep(told: &mut Value, is_kept: impl Fn(&str) -> bool) {
    if let Some(fields) = told["properties"].as_object_mut() {
        fields.retain(|field, _| is_kept(field));
    }
    if let Some(required) = told["required"].as_array_mut() {
        required.retain(|field| field.as_str().is_some_and(&is_kept));
    }
}

/// Makes fields optional that some seats do not receive.
fn may_lack(told: &mut Value, fields: &[&str]) {
    if let Some(required) = told["required"].as_array_mut() {
        required.retain(|field| field.as_str().is_none_or(|field| !fields.contains(&field)));
    }
}

/// Replaces the cards in `field` by their number, if the field exists.
fn number(told: &mut Value, field: &str, meaning: &str) {
    if told["properties"][field].is_object() {
        told["properties"][field] = json!({ "type": "integer", "minimum": 0, "description": meaning });
    }
}
