//! Event logs of seats, and what a seat can derive from its log alone.

mod damaged;
mod refused;
mod told;
mod windows;

use cardsharp_engine::Seat;
use cardsharp_engine::conformance::Suite;
use cardsharp_engine::game::{Actions, Narrate, Record, parse_label};
use cardsharp_engine::record::Audience;
use cardsharp_engine::table::{AnyTable, Table};
use cardsharp_engine::{ObserveError, Observer};
use serde_json::{Value, json};

use super::situation::{Situation, label};
use crate::Round;

#[test]
fn records_make_the_views_of_their_seats() {
    let report =
        Suite::<Round>::new().with_records().run(60_000, 21).unwrap_or_else(|finding| panic!("{finding}"));
    assert!(report.observed > 10_000 && report.imagined > report.observed / 4, "{report:?}");
}

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
    let to = Audience::Seat(Seat(seat));
    let told = (0..=table.steps()).flat_map(|step| table.told(step, to));
    std::iter::once(table.header(to, Vec::new())).chain(told).map(|line| line.json()).collect()
}

/// Returns an observer that has read all these lines, the header first.
fn heard(lines: &[Value]) -> Result<Observer<Round>, ObserveError> {
    let mut observer = Observer::new(&lines[0])?;
    lines[1..].iter().try_for_each(|line| observer.hear(line))?;
    observer.view()?;
    Ok(observer)
}

/// Returns what a seat sees while these labels are played: moves such as `2: R5`, and events.
fn told(s: &Situation, labels: &str, to: Option<u8>) -> Vec<Value> {
    let mut told = Vec::new();
    let mut s = *s;
    for name in labels.split(", ") {
        let seat = s.turn().unwrap();
        let action = parse_label::<Round>(None, name).unwrap();
        assert!(s.may(name), "{name}");
        if Round::is_public(action) || to == Some(seat) {
            told.push(json!(format!("{seat}: {}", label(action))));
        }
        let before = s.0;
        s.play(name);
        let events = Round::events(Some(&before), &s.0).into_iter();
        told.extend(events.filter_map(|event| Round::conceal_event(event, to.map(Seat))));
    }
    told
}
