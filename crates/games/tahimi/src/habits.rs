//! Categories of moves, as evidence of how a player plays.

use cardsharp_climbing::habits::{KINDS, of_play};
use cardsharp_engine::ActionId;
use cardsharp_engine::game::Habits;

use super::deck::Rank;
use super::moves::Move;
use super::state::{Round, View};

/// Names of the categories. Those of [`of_play`] come first.
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
        let leads = view.table.trick.size == 0;
        let play = |set| of_play(&view.own.hand, leads, set);
        // The categories of this game follow those of plays.
        let own = |kind: u32| 1 << (KINDS as u32 + kind);
        match Move::of(action) {
            Some(Move::Play(set)) => play(Some(set.set())),
            Some(Move::Pass) if leads => own(0),
            Some(Move::Pass) => play(None),
            Some(Move::PayJokers(jokers)) => own(if jokers.get() > 0 { 1 } else { 2 }),
            Some(Move::Give(Rank::LAST)) => own(3),
            Some(Move::Decree(_)) => own(4),
            Some(Move::Give(_)) | None => 0,
        }
    }
}
