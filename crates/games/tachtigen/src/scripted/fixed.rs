//! Card play in fixed contracts.

use cardsharp_engine::Seat;

use super::best::best;
use super::odds::Odds;
use crate::deck::{Card, Cards};
use crate::ladder::Kind;
use crate::table::View;

/// What the player wants from the trick.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Aim {
    Take,
    /// This seat must not win the trick.
    Avoid(Seat),
    /// This seat should win the trick.
    Push(Seat),
}

/// Returns the card that serves the player's aim best.
pub(super) fn choose(view: View<'_>, kind: Kind, cards: Cards) -> Card {
    let odds = Odds::new(view);
    let bidder = view.table.auction.high.unwrap_or(view.seat);
    let aim = aim(view, kind, bidder);
    best(cards, |card| match aim {
        Aim::Take => taking(&odds, card),
        Aim::Avoid(seat) if seat == view.seat => ducking(&odds, card),
        Aim::Avoid(_) => taking(&odds, card),
        Aim::Push(seat) => pushing(&odds, card, seat),
    })
}

fn aim(view: View<'_>, kind: Kind, bidder: Seat) -> Aim {
    let me = view.seat;
    if kind.is_misere() {
        return if me == bidder { Aim::Avoid(me) } else { Aim::Push(bidder) };
    }
    // After a zwabber's partner has emerged, the partner must win all tricks.
    match view.table.partner {
        Some(partner) if partner == me => Aim::Take,
        Some(partner) if me == bidder => Aim::Push(partner),
        Some(partner) => Aim::Avoid(partner),
        None if me == bidder => Aim::Take,
        None => Aim::Avoid(bidder),
    }
}

/// Rank of a card within its suit, from 0 (lowest) to 8.
fn height(odds: &Odds<'_>, card: Card) -> f32 {
    8.0 - card.above(odds.table().trump()).len() as f32
}

/// Probability that a card wins the trick if every later player beats it when possible.
fn holds(odds: &Odds<'_>, card: Card) -> f32 {
    if !odds.takes(card, true) {
        return 0.0;
    }
    let led = odds.table().play.led().unwrap_or(card);
    let beaters = odds.beaters(card, led, true);
    odds.later().fold(1.0, |all, seat| all * (1.0 - odds.has_any(seat, beaters)))
}

/// Scores a card for winning the trick: the surest card, or else the lowest one that guards nothing.
fn taking(odds: &Odds<'_>, card: Card) -> f32 {
    let table = odds.table();
    let lead = table.play.in_trick() == 0;
    let holds = holds(odds, card);
    let trump = table.trump().is(card.suit());
    let others_trump = odds.later().any(|seat| odds.has_any(seat, table.trump().cards()) > 0.0);
    let draws = if lead && trump && others_trump { 0.2 } else { 0.0 };
    let keep = 0.01 * height(odds, card)
        + if odds.is_master(card) { 0.1 } else { 0.0 }
        + if trump { 0.1 } else { 0.0 };
    if lead { holds + draws + 0.005 * height(odds, card) } else { holds - keep }
}

/// Scores a card for not winning the trick: prefers the highest card that loses.
fn ducking(odds: &Odds<'_>, card: Card) -> f32 {
    let table = odds.table();
    let height = height(odds, card);
    if !odds.takes(card, true) {
        return 1.0 + 0.1 * height + danger(odds, card);
    }
    let led = table.play.led().unwrap_or(card);
    // The card stays highest if no later player has to beat it. Players who can play lower usually do.
    let lower = led.suit().cards().minus(card.above(table.trump())).without(card);
    let beaters = odds.beaters(card, led, true);
    let stays = odds.later().fold(1.0, |all, seat| {
        let goes_over = odds.has_any(seat, beaters) * (1.0 - 0.9 * odds.has_any(seat, lower));
        all * (1.0 - goes_over)
    });
    -stays - 0.02 * height
}

/// Returns how likely a card in hand wins an unwanted trick later.
fn danger(odds: &Odds<'_>, card: Card) -> f32 {
    let suit = card.suit().cards().and(odds.unseen);
    let above = card.above(odds.table().trump()).and(odds.unseen).len() as f32;
    let below = suit.len() as f32 - above;
    let trump = if odds.table().trump().is(card.suit()) { 0.3 } else { 0.0 };
    0.1 * (below - above) + trump
}

/// Scores a card for leaving the trick to `seat`: stay below their card, play low before they play, and lead
/// low.
fn pushing(odds: &Odds<'_>, card: Card, seat: Seat) -> f32 {
    let table = odds.table();
    let height = height(odds, card);
    let takes = odds.takes(card, true);
    let played = table.play.card_of(seat).is_some();
    if table.play.in_trick() == 0 {
        // Best is a lead in a suit that they hold and must beat.
        let suit = card.suit().cards();
        let over = odds.has_any(seat, card.above(table.trump()));
        let under = odds.has_any(seat, suit.minus(card.above(table.trump())).without(card));
        let void = 1.0 - odds.has_any(seat, suit);
        return over * (1.0 - 0.7 * under) - void - 0.03 * height;
    }
    if played {
        let winning = table.play.best == seat;
        // Below their card, play as high as possible. If they win anyway, play the highest card.
        return if winning && takes { -1.0 - 0.1 * height } else { 0.1 * height };
    }
    // They still have to play, so play low.
    if takes { -0.1 * height } else { 0.5 + 0.02 * height }
}
