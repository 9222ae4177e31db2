//! Putting a card aside, naming trump, and asking.

use super::best::best;
use super::temper::Temper;
use super::worth::{self, Total};
use crate::contract::askable;
use crate::deck::{ACE, Card, Cards, Trump};
use crate::ladder::Kind;
use crate::moves::Move;
use crate::rules::DiscardPoints;
use crate::table::View;

/// Returns the value of eight cards, and the best trump for them.
fn value(view: View<'_>, hand: Cards) -> (f32, Trump) {
    let rules = &view.table.rules;
    match view.table.contract() {
        Some(Kind::Points(bid)) => worth::points(hand, bid, rules),
        Some(kind) if kind.is_misere() => {
            // Compare by danger, because the chance is clipped at 0.
            let danger = worth::trumps(rules, kind).map(|trump| (-worth::danger(hand, trump), trump));
            danger.fold((f32::MIN, Trump::None), |best, other| if other.0 > best.0 { other } else { best })
        }
        Some(kind) => {
            let tricks = worth::trumps(rules, kind).map(|trump| (worth::sure_tricks(hand, trump), trump));
            tricks.fold((f32::MIN, Trump::None), |best, other| if other.0 > best.0 { other } else { best })
        }
        None => (0.0, Trump::None),
    }
}

/// Puts aside the card that leaves the best eight cards. Considers the points lost with it.
pub(super) fn discard(view: View<'_>) -> Move {
    let points = matches!(view.table.contract(), Some(Kind::Points(_)));
    let lost = points && view.table.rules.discard_points == DiscardPoints::None;
    Move::Discard(best(view.own.hand, |card| {
        let (value, trump) = value(view, view.own.hand.without(card));
        value - if lost { 0.6 * f32::from(card.value(trump)) } else { 0.0 }
    }))
}

/// Names the trump with the highest value.
pub(super) fn trump(view: View<'_>) -> Move {
    Move::Trump(value(view, view.own.hand).1)
}

/// Asks for the most useful card, or plays alone.
pub(super) fn ask(view: View<'_>, temper: &Temper) -> Move {
    let (table, own) = (view.table, view.own);
    let trump = table.trump();
    let promised = worth::total(own.hand, trump, &table.rules);
    let total = Total { alone: promised.alone + temper.alone, ..promised };
    let bid = match table.contract() {
        Some(Kind::Points(bid)) => bid,
        _ => 0,
    };
    let mut best = if total.score(bid).1 { (f32::MAX, None) } else { (f32::MIN, None) };
    for card in askable(table, own).iter() {
        let value = usefulness(own.hand, card, trump);
        if own.discard != Some(card) && value > best.0 {
            best = (value, Some(card));
        }
    }
    best.1.map_or(Move::Solo, Move::Ask)
}

/// Returns how useful a card in the partner's hand is for this hand.
fn usefulness(hand: Cards, card: Card, trump: Trump) -> f32 {
    let suit = card.suit().cards();
    let held = hand.and(suit);
    let tops = !card.above(trump).meets(suit.minus(hand));
    let value = f32::from(card.value(trump));
    if trump.is(card.suit()) {
        // The missing top trump helps most if the bidder has few trumps.
        let few = held.len() <= 4;
        return value + if tops && few { 6.0 } else { -4.0 };
    }
    // An ace to call: better with points to give it, and with few cards of a suit that others could trump.
    let given = held.iter().map(|card| card.value(trump)).max().unwrap_or(0);
    let short = 2.0 * (4.0 - held.len() as f32);
    let high = if tops { 12.0 } else { 0.0 };
    value + high + 0.6 * f32::from(given) + short - if card.rank() == ACE { 0.0 } else { 3.0 }
}
