//! Decisions before the play: misdeals, revolutions, taxes, exchanges.

use cardsharp_climbing::scripted::{self, Tempo};

use super::situation::situation;
use super::weights::WEIGHTS;
use crate::deck::{Cards, JESTER};
use crate::moves::{Merchant, Move};
use crate::state::View;

/// The worst rank index that counts as a good card: a Knight.
///
/// 21 of the 80 cards are at least as good. So the two best of a hand of twelve to sixteen cards, the Greater Peon's
/// tribute, usually are.
const GOOD: u8 = 5;

/// Decides who gets the exposed card. The Greater Dalmuti keeps their own good card or Jester. Another player's good
/// card goes to the Greater Peon, whose best cards the Greater Dalmuti gets as taxes.
pub fn misdeal(view: View<'_>) -> Move {
    let to_peon = view.table.exposed.is_some_and(|exposed| {
        let good = exposed.rank <= GOOD;
        let jester = usize::from(exposed.rank) == JESTER;
        if exposed.receiver == view.seat { !good && !jester } else { good && view.table.taxes() }
    });
    if to_peon { Move::MisdealToPeon } else { Move::KeepMisdeal }
}

/// Calls a revolution unless the player receives taxes. Peons keep their best cards, and Merchants avoid taxes that
/// only improve the Dalmutis' hands.
///
/// The choice is too rare to measure: declining is worth −0.002 ± 0.003 at eight players.
pub fn revolution(view: View<'_>) -> Move {
    let receives_taxes = view.table.position[view.seat.index()] < 2;
    if receives_taxes { Move::DeclineRevolution } else { Move::CallRevolution }
}

/// Always offers an exchange: a single low card goes, and a card that is no worse comes and may join a set.
///
/// Gain in place score against the same player without exchanges (eight players, ten-hand sessions, 300 deals, seed
/// 41): +0.036 ± 0.010 if both choose, +0.050 ± 0.011 if the other card is drawn. The partner makes no difference
/// before the hands are known.
pub fn offer() -> Move {
    Move::Exchange(Merchant::NEXT)
}

/// The card whose loss leaves the best hand. The Greater Dalmuti considers both cards together.
///
/// Worth +0.094 ± 0.017 over giving the worst cards (five players, 20-hand sessions, 300 deals, seed 41).
pub fn give(view: View<'_>) -> Move {
    let mut cards = view.own.hand;
    cards.remove(&view.own.given);
    let first_lead = view.table.position[view.seat.index()] == 0;
    let tempo = if first_lead { Tempo { lead: 1.0 } } else { Tempo::FOLLOWING };
    let more = if first_lead && view.own.given == Cards::NONE { 2 } else { 1 };
    Move::Give(scripted::give(&situation(view, &WEIGHTS), &cards, more, tempo))
}
