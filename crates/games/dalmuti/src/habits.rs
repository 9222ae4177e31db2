//! Categories of moves, as evidence of how a player plays.

use cardsharp_climbing::habits::{KINDS, of_play};
use cardsharp_engine::ActionId;
use cardsharp_engine::game::Habits;

use super::deck::Rank;
use super::moves::Move;
use super::state::{Round, View};

/// Names of the categories. Those of [`of_play`] come first.
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
        let play = |set| of_play(&view.own.hand, view.table.trick.size == 0, set);
        // The categories of this game follow those of plays.
        let own = |kind: u32| 1 << (KINDS as u32 + kind);
        match Move::of(action) {
            Some(Move::Play(set)) => play(Some(set.set())),
            Some(Move::Pass) => play(None),
            Some(Move::CallRevolution) => own(0),
            Some(Move::DeclineRevolution) => own(1),
            Some(Move::Exchange(_)) => own(2),
            Some(Move::NoExchange) => own(3),
            Some(Move::Give(Rank::LAST)) => own(4),
            Some(Move::KeepMisdeal) => own(5),
            Some(Move::MisdealToPeon) => own(6),
            Some(Move::Give(_)) | None => 0,
        }
    }
}
