//! Habits: features of moves that show how a player plays.

use cardsharp_env::ActionId;
use cardsharp_env::game::{Foresee, Habits};
use cardsharp_env::mask::flags;

use crate::actions::Move;
use crate::cards::Rank;
use crate::{Round, View};

/// No position is certain, because a player may draw an unknown card in any turn.
impl Foresee for Round {}

impl Habits for Round {
    const HABITS: &'static [&'static str] = &[
        "draw or pass, though able to lay a card",
        "take the cards owed, though able to lay a two",
        "lay an eight",
        "lay an eight, though able to lay another card",
        "change the suit by rank",
        "lay a two, queen or ace that acts",
    ];

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        let table = view.table;
        let playable = view.own.hand.faces() & table.playable();
        let laid = match Move::of(action) {
            Some(Move::Lay(face)) => Some(face),
            _ => None,
        };
        let waits = matches!(Move::of(action), Some(Move::Draw | Move::Pass)) && playable != 0;
        let is_eight = laid.is_some_and(|face| face.rank() == Rank::EIGHT);
        let recolors = laid.is_some_and(|face| face.suit() != table.suit) && !is_eight;
        let acts = laid.is_some_and(|face| matches!(face.rank(), Rank::TWO | Rank::QUEEN | Rank::ACE));
        flags([
            waits && table.debt == 0,
            waits && table.debt > 0,
            is_eight,
            is_eight && playable & !Rank::EIGHT.faces() != 0,
            recolors,
            acts && table.rules.use_special_cards,
        ])
    }
}
