//! Texts that the climbing games share.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Seated;
use cardsharp_engine::game::{Aim, MovePurpose};
use cardsharp_engine::hands::RankCounts;

use super::Trick;

/// The purpose of playing a set.
pub const PURPOSE: MovePurpose = MovePurpose { name: "climbing.aim", statement: "no player tops it" };

/// Whether the play of the player at `position` took the trick, as far as the state of the trick shows.
pub fn aim(trick: &Trick, position: u8) -> Aim {
    match (trick.size != 0 && !trick.is_over(), trick.last == position) {
        // The player passed with an empty table: the lead went to the next player.
        (false, _) if trick.passed.has(position) => Aim::Nothing,
        (true, true) => Aim::Ahead,
        (false, true) => Aim::Reached,
        (_, false) => Aim::Missed,
    }
}

/// The cards dealt to a player, reconstructed from the present hand. Only `given` and `received` may have moved.
pub fn dealt<const N: usize>(
    hand: &RankCounts<N>,
    given: &RankCounts<N>,
    received: &RankCounts<N>,
) -> RankCounts<N> {
    let mut cards = *hand;
    // Add first: the player may have given away received cards, which are not in the hand.
    cards.add(given);
    cards.remove(received);
    cards
}

/// Suffixes in the list of players: for the player of the last set, for a pass, and for a skipped player.
pub const ENDS: [&str; 3] = [" <- last", " passed", " skipped"];

/// Picks the text for what the player at `position` did in this trick: played last, passed, or was skipped. Empty for
/// none of these.
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

/// Describes the player at `position`, who holds `cards` cards. `trick` is `None` before the play, when no player has
/// the turn.
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

/// A hand in text, grouped by rank. Each card is written by its name.
pub fn groups<const N: usize>(hand: &RankCounts<N>, name: impl Fn(usize) -> &'static str) -> String {
    let held = hand.0.iter().enumerate().filter(|&(_, &count)| count > 0);
    let groups: Vec<String> =
        held.map(|(rank, &count)| vec![name(rank); usize::from(count)].join(" ")).collect();
    groups.join(" | ")
}
