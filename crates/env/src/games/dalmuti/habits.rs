//! What moves tell of how somebody plays.

use super::actions::{EXCHANGE, GIVE, MISDEAL, PASS, REVOLUTION, set};
use super::deck::JESTER;
use super::{Round, View};
use crate::game::Habits;
use crate::games::climbing::habits::{KINDS, of_play};
use crate::ground::ActionId;
use crate::ground::mask::flags;

/// Kinds of moves, those of [`of_play`] first.
pub const HABITS: [&str; KINDS + 7] = [
    "pass, though able to play",
    "lead",
    "lead a single card",
    "follow",
    "play a Jester",
    "split a rank",
    "call a revolution",
    "decline a revolution",
    "exchange as a Merchant",
    "decline to exchange",
    "give a Jester",
    "keep an exposed card where it fell",
    "send an exposed card to the Peon",
];

impl Habits for Round {
    const HABITS: &'static [&'static str] = &HABITS;

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        let (set, choice) = (set(action), EXCHANGE.index(action));
        if set.is_some() || action == PASS.nth(0) {
            return of_play(&view.own.hand, view.table.trick.size == 0, set);
        }
        let kinds: [bool; HABITS.len() - KINDS] = [
            action == REVOLUTION.nth(0),
            action == REVOLUTION.nth(1),
            choice.is_some_and(|with| with > 0),
            choice == Some(0),
            action == GIVE.nth(JESTER),
            action == MISDEAL.nth(0),
            action == MISDEAL.nth(1),
        ];
        flags(kinds) << KINDS
    }
}
