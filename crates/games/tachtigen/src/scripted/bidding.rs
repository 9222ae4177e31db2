//! Opening, bidding higher, and passing.

use super::temper::Temper;
use super::worth;
use crate::deck::{Card, Cards};
use crate::ladder::{Bid, Kind, up_to};
use crate::moves::Move;
use crate::table::{Stage, View};

/// The lowest expected score for a bid. It is above 0, because other players' contracts also bring some
/// points.
const LEAST: f32 = 8.0;
/// Points that a hand gains by replacing its worst card with the kitty.
const KITTY_POINTS: f32 = 5.0;

/// Makes the most promising bid. Of the points contracts it considers only the lowest allowed one.
pub(super) fn choose(view: View<'_>, temper: &Temper) -> Move {
    let table = view.table;
    let open = table.high().map_or(u128::MAX, |high| u128::MAX << (high.rung() + 1));
    let legal = up_to(table.rules.max_point_bid) & open;
    let mut best = (LEAST, None);
    let mut points = false;
    for bid in Bid::all().filter(|bid| legal >> bid.rung() & 1 == 1) {
        if matches!(bid.kind(), Kind::Points(_)) && std::mem::replace(&mut points, true) {
            continue;
        }
        let value = promise(view, bid, temper);
        if value > best.0 {
            best = (value, Some(bid));
        }
    }
    let silent = if table.stage == Stage::Opening { Move::Hold } else { Move::Pass };
    best.1.map_or(silent, Move::Bid)
}

/// Returns the expected score of a bid, if it becomes the contract.
pub(super) fn promise(view: View<'_>, bid: Bid, temper: &Temper) -> f32 {
    match bid.kind() {
        Kind::Points(bid) => {
            worth::points(view.own.hand, bid, &view.table.rules).0 + KITTY_POINTS + temper.hope
        }
        kind => fixed(view.own.hand, kind, view) + temper.dare * kind.worth() as f32,
    }
}

/// Returns the expected score of a fixed contract. A misère with the kitty gains from putting the worst card
/// aside, but the kitty may be as bad as good.
fn fixed(hand: Cards, kind: Kind, view: View<'_>) -> f32 {
    let rules = &view.table.rules;
    let (as_it_is, trump) = worth::fixed(hand, kind, rules);
    if kind.from_the_hand() || !kind.is_misere() {
        return as_it_is;
    }
    // The bidder puts the most dangerous card aside. The kitty stays in hand instead and may be dangerous
    // itself, so only half of the gain counts.
    let without = |card: Card| worth::danger(hand.without(card), trump);
    let least = hand.iter().map(without).fold(f32::MAX, f32::min);
    let gained = worth::danger(hand, trump) - least;
    as_it_is + kind.worth() as f32 * 0.68 * (0.5 * gained - 0.1).max(0.0)
}
