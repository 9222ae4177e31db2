//! What a seat is told, and what it knows by that alone.

mod damaged;
mod refused;
mod told;
mod windows;

use serde_json::{Value, json};

use crate::conformance::Suite;
use crate::drive::observer::{ObserveError, Observer};
use crate::drive::record::Audience;
use crate::drive::table::{AnyTable, Table};
use crate::game::{Actions, Narrate, Record, parse_label};
use crate::games::taki::Round;
use crate::ground::Seat;

use super::situation::{Situation, label};

#[test]
fn records_make_the_views_of_their_seats() {
    let report =
        Suite::<Round>::new().with_records().run(60_000, 21).unwrap_or_else(|finding| panic!("{finding}"));
    assert!(report.observed > 10_000 && report.imagined > report.observed / 4, "{report:?}");
}

/// Lines of a record, from JSON with one in each line.
fn lines(text: &str) -> Vec<Value> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| line.parse().unwrap()).collect()
}

/// What a seat is told of a session that is played by these labels.
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

/// Who has heard all these lines of a record, the header first.
fn heard(lines: &[Value]) -> Result<Observer<Round>, ObserveError> {
    let mut observer = Observer::new(&lines[0])?;
    lines[1..].iter().try_for_each(|line| observer.hear(line))?;
    observer.view()?;
    Ok(observer)
}

/// What somebody is told while these labels are played: moves as `2: R5`, everything else as its event.
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
