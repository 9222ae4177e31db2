//! Event logs of seats, and what a seat can derive from its log alone.

mod lines;
mod refused;
mod windows;

use cardsharp_engine::Seat;
use cardsharp_engine::log::Audience;
use cardsharp_engine::table::{AnyTable, Table};
use cardsharp_engine::testing::event_log;
use serde_json::{Value, json};

use super::situation::Situation;
use crate::Round;

/// Parses the lines of an event log, one JSON object in each.
fn lines(text: &str) -> Vec<Value> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| line.parse().unwrap()).collect()
}

/// Returns the event log of a seat in a session played with these labels.
fn record(options: Value, seed: u64, choices: &str, seat: u8) -> Vec<Value> {
    let mut table = Table::<Round>::new(super::situation::rules(options), seed);
    for choice in choices.split(", ").filter(|choice| !choice.is_empty()) {
        let action = AnyTable::parse(&table, choice).unwrap();
        Table::try_play(&mut table, action).unwrap();
    }
    event_log(&table, Audience::Seat(Seat(seat)))
}

/// Returns what a seat sees while these labels are played: moves such as `2: R5`, and events.
fn event_lines(s: &Situation, labels: &str, to: Option<u8>) -> Vec<Value> {
    let to = to.map_or(Audience::Everybody, |seat| Audience::Seat(Seat(seat)));
    let event_lines = |mut line: Value| match line["line"].as_str() {
        Some("move") => Some(json!(format!("{}: {}", line["seat"], line["choice"].as_str()?))),
        Some("event") => {
            line.as_object_mut()?.retain(|name, _| !["line", "round"].contains(&name.as_str()));
            Some(line)
        }
        _ => None,
    };
    s.log(&s.0.table.rules, labels, to).into_iter().filter_map(event_lines).collect()
}
