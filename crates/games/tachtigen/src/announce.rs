//! Announcing roem: when it is due, and which cards it counts.

use cardsharp_engine::Seat;

use super::deck::{Card, Cards};
use super::ladder::Kind;
use super::roem;
use super::rules::PartnerRoemBasis;
use super::table::{Asked, BIDDER, Own, PARTNER, Table};

/// Returns which roem is due after `seat` has played `card`: [`BIDDER`] or [`PARTNER`], the index in
/// [`Table::roem`].
pub(super) fn due(table: &Table, seat: Seat, card: Card) -> Option<usize> {
    if !matches!(table.contract(), Some(Kind::Points(_))) {
        return None;
    }
    if table.auction.high == Some(seat) {
        return (table.play.played[seat.index()] == Cards::one(card)).then_some(BIDDER);
    }
    (table.asked == Asked::Card(card)).then_some(PARTNER)
}

/// Returns the cards that count for the roem of `seat`: the bidder's eight cards, or the partner's cards as
/// the option `partner_roem_basis` says.
pub(super) fn basis(table: &Table, whose: usize, hand: Cards, seat: Seat) -> Cards {
    let played = table.play.played[seat.index()];
    if whose == BIDDER || table.rules.partner_roem_basis == PartnerRoemBasis::InitialHand {
        return hand.or(played);
    }
    let plays = &table.play;
    let mine = (0..plays.cards.len()).filter(|&i| plays.player(i) == seat).filter_map(|i| plays.cards.get(i));
    let since = mine.skip_while(|&card| table.asked != Asked::Card(card));
    since.fold(hand, Cards::with)
}

/// Returns the value of the roem of `seat`. It must be due, or have been due.
pub(super) fn true_roem(table: &Table, whose: usize, own: &Own, seat: Seat) -> u16 {
    roem::total(basis(table, whose, own.hand, seat), table.trump(), &table.rules)
}

/// Returns the index in [`Table::roem`] of the claim that is due.
pub(super) fn claimant(table: &Table) -> usize {
    if table.auction.high == Some(table.turn) { BIDDER } else { PARTNER }
}
