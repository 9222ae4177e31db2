//! How cards move between hands, draw pile and discards.

use cardsharp_engine::Seat;

use super::Round;
use super::deck::{self, Card, Cards, bit};
use super::state::{ActionResult, SEATS};

/// Makes a player draw `cards` cards, or fewer if no more are left. Returns the number drawn.
#[inline]
pub(super) fn give(round: &mut Round, seat: Seat, cards: u32) -> u8 {
    let mut drawn = 0;
    while u32::from(drawn) < cards {
        if round.table.pile == 0 && !recycle(round) {
            break;
        }
        draw_one(round, seat);
        drawn += 1;
    }
    if drawn > 0 {
        round.log.add(ActionResult::Drew(seat, drawn));
        round.table.announced = round.table.announced.without(seat.0);
    }
    drawn
}

#[inline]
fn draw_one(round: &mut Round, seat: Seat) {
    let table = &mut round.table;
    let who = seat.index();
    table.pile -= 1;
    let card = round.pile[usize::from(table.pile)];
    round.own[who].hand.add(card);
    round.own[who].drew.add(card);
    table.sizes[who] += 1;
    table.drawn[who] += 1;
    if table.buried.len() > table.pile {
        table.buried.take();
        table.known[who].add(card);
        table.proofs[who].drew(bit(card));
    } else {
        table.proofs[who].drew(u64::MAX);
    }
}

/// Shuffles all discards except the top one into a new draw pile. Returns false if there are none.
#[cold]
fn recycle(round: &mut Round) -> bool {
    let table = &mut round.table;
    if table.discards.total() < 2 {
        return false;
    }
    // All copies of these cards are among the discards, so no player holds one.
    let nowhere = deck::complete(&table.discards);
    let mut stock = table.discards;
    stock.remove(table.top);
    table.stock = stock;
    table.discards = Cards::one(table.top);
    table.first = table.top;
    table.pile = stock.total() as u8;
    table.recycles = table.recycles.saturating_add(1);
    table.laid = [Cards::NONE; SEATS];
    table.drawn = [0; SEATS];
    for seat in 0..usize::from(table.rules.players) {
        table.proofs[seat].add(nowhere);
        round.own[seat].drew = Cards::NONE;
    }
    let pile = &mut round.pile[..usize::from(table.pile)];
    pile.iter_mut().zip(stock.cards()).for_each(|(place, card)| *place = card);
    round.rng.draw(|draw| draw.shuffle(pile));
    true
}

/// Lays a card from a player's hand on the discard pile.
#[inline]
pub(super) fn lay(round: &mut Round, seat: Seat, card: Card) {
    let table = &mut round.table;
    let who = seat.index();
    round.own[who].hand.remove(card);
    table.sizes[who] -= 1;
    table.laid[who].add(card);
    table.discards.add(card);
    table.top = card;
    table.idle = 0;
    table.announced = table.announced.without(seat.0);
    if table.known[who].has(card) {
        table.known[who].remove(card);
    }
    table.proofs[who].laid(card, table.sizes[who]);
}

/// Like [`lay`], for the player whose turn it is. Also updates `remained`.
#[inline]
pub(super) fn lay_in_turn(round: &mut Round, card: Card) {
    let seat = round.table.turn;
    lay(round, seat, card);
    round.table.remained = Some(round.table.sizes[seat.index()]);
}

/// Returns whether the player whose turn it is has laid their last card in this turn.
#[inline]
pub(super) fn has_emptied(round: &Round) -> bool {
    round.table.remained == Some(0) && round.table.sizes[round.table.turn.index()] == 0
}
