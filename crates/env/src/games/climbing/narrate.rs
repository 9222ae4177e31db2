//! What the climbing games say in the same words.

use super::Trick;
use crate::game::Aim;
#[cfg(not(target_family = "wasm"))]
use crate::game::Seated;
#[cfg(not(target_family = "wasm"))]
use crate::ground::Seat;
use crate::ground::hands::Counts;

/// What a set is played for.
pub const PURPOSE: &str = "no player tops it";

/// Whether the set that the player at `position` has played took the trick.
pub fn aim(trick: &Trick, position: u8) -> Aim {
    match (trick.size != 0 && !trick.is_over(), trick.last == position) {
        // He passed where others may lead.
        (false, _) if trick.passed.has(position) => Aim::Nothing,
        (true, true) => Aim::Ahead,
        (false, true) => Aim::Reached,
        (_, false) => Aim::Missed,
    }
}

/// The cards a player was dealt, from those he has now; what he was given and gave away is all that
/// has moved.
pub fn dealt<const N: usize>(hand: &Counts<N>, given: &Counts<N>, received: &Counts<N>) -> Counts<N> {
    let mut cards = *hand;
    // In this order: what was given may be what was received.
    cards.add(given);
    cards.remove(received);
    cards
}

/// The end of the line of a player who played last, passed, or was skipped.
pub const ENDS: [&str; 3] = [" <- last", " passed", " skipped"];

/// What the player at `position` did in this trick, in the words for having played last, passed, and been skipped.
pub fn note(trick: &Trick, position: u8, [last, passed, skipped]: [&'static str; 3]) -> &'static str {
    if trick.size != 0 && trick.last == position {
        last
    } else if trick.passed.has(position) {
        passed
    } else if trick.skipped.has(position) {
        skipped
    } else {
        ""
    }
}

/// The player at `position`, who holds so many cards; `trick` only once cards are played, because it is nobody's turn before.
#[cfg(not(target_family = "wasm"))]
pub fn seated(seat: Seat, title: &str, cards: u32, trick: Option<&Trick>, position: u8) -> Seated {
    let place = trick.map_or(0, |trick| trick.place(position));
    let mut notes = vec![title.to_owned()];
    if place != 0 {
        notes.push(format!("out, place {place}"));
    }
    let note = trick.map_or("", |trick| note(trick, position, ["played last", "passed", "skipped"]));
    if !note.is_empty() {
        notes.push(note.to_owned());
    }
    let is_turn = trick.is_some_and(|trick| !trick.is_over() && trick.turn == position);
    Seated { seat, cards: (place == 0).then_some(cards), points: None, notes, is_turn }
}

/// A hand rank by rank, each card by its name.
pub fn groups<const N: usize>(hand: &Counts<N>, name: impl Fn(usize) -> &'static str) -> String {
    let held = hand.0.iter().enumerate().filter(|&(_, &count)| count > 0);
    let groups: Vec<String> =
        held.map(|(rank, &count)| vec![name(rank); usize::from(count)].join(" ")).collect();
    groups.join(" | ")
}
