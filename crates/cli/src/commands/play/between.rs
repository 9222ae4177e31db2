//! Choices between two rounds: deal, or let players join or leave.

use std::fmt;

use cardsharp_env::log::change_name;
use cardsharp_env::rules::RosterChange;
use cardsharp_env::{AnyTable, MAX_SEATS, Seat};

/// A choice between two rounds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Between {
    /// Deal the next round.
    Deal,
    /// Let a player join or leave first.
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

/// Returns all choices that the table accepts now, the deal first. Games with fixed players have no other choice.
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

/// Returns the choice that a text names. An empty line means the deal. `join` alone means a new player if possible,
/// otherwise the last seat that can return.
pub(super) fn named(text: &str, choices: &[Between]) -> Option<Between> {
    let text = text.to_lowercase();
    let joins = |choice: &&Between| matches!(choice, Between::Change(RosterChange::Join(_)));
    match text.as_str() {
        "" => Some(Between::Deal),
        "join" => choices.iter().rfind(joins).copied(),
        text => choices.iter().copied().find(|choice| choice.to_string() == text),
    }
}
