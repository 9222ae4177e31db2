//! What moves tell of how somebody plays.

use super::actions::{DECREE, PASS, TAX_JOKERS, given, set};
use super::deck::JOKER;
use super::{Round, View};
use crate::game::Habits;
use crate::games::climbing::habits::{KINDS, of_play};
use crate::ground::ActionId;
use crate::ground::mask::flags;

/// Kinds of moves, those of [`of_play`] first.
pub const HABITS: [&str; KINDS + 5] = [
    "pass, though able to play",
    "lead",
    "lead a single card",
    "follow",
    "play a joker",
    "split a rank",
    "pass the lead on",
    "pay a joker",
    "keep all jokers from the taxes",
    "give a joker back",
    "decree",
];

impl Habits for Round {
    const HABITS: &'static [&'static str] = &HABITS;

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        let (set, paid) = (set(action), TAX_JOKERS.index(action));
        let leads = view.table.trick.size == 0;
        let passes = action == PASS.nth(0);
        if set.is_some() || passes && !leads {
            return of_play(&view.own.hand, leads, set);
        }
        let kinds: [bool; HABITS.len() - KINDS] = [
            passes,
            paid.is_some_and(|jokers| jokers > 0),
            paid == Some(0),
            given(action) == Some(JOKER),
            DECREE.index(action).is_some(),
        ];
        flags(kinds) << KINDS
    }
}
