//! What can be done between two rounds: deal on, or let players come and go.

use std::fmt;

use cardsharp_env::record::change_name;
use cardsharp_env::rules::RosterChange;
use cardsharp_env::{AnyTable, MAX_SEATS, Seat};

/// A choice between two rounds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Between {
    /// The next round is dealt.
    Deal,
    /// A player joins or leaves before it.
    Change(RosterChange),
}

impl fmt::Display for Between {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deal => f.write_str("deal"),
            Self::Change(change) => f.write_str(&change_name(*change)),
        }
    }
}

/// Everything that the table takes now, the deal first; nothing else in games whose players stay.
pub(super) fn choices(table: &mut dyn AnyTable) -> Vec<Between> {
    let mut choices = vec![Between::Deal];
    for change in [RosterChange::Join, RosterChange::Leave] {
        for change in (0..MAX_SEATS as u8).map(|seat| change(Seat(seat))) {
            if table.change_roster(change).is_ok() {
                table.undo();
                choices.push(Between::Change(change));
            }
        }
    }
    choices
}

/// The choice that a text names: as it is listed, an empty line for the deal, or `join` alone for a
/// player who was not here before (else the last who left).
pub(super) fn named(text: &str, choices: &[Between]) -> Option<Between> {
    let text = text.to_lowercase();
    let joins = |choice: &&Between| matches!(choice, Between::Change(RosterChange::Join(_)));
    match text.as_str() {
        "" => Some(Between::Deal),
        "join" => choices.iter().rfind(joins).copied(),
        text => choices.iter().copied().find(|choice| choice.to_string() == text),
    }
}
