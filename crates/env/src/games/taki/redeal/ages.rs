//! New and old cards: shuffled into the draw pile when it was last made, or held by somebody then.

use crate::games::taki::View;
use crate::games::taki::deck::{Card, Cards};
use crate::games::taki::table::SEATS;
use crate::ground::rng::Draw;

/// Cards not yet accounted for, and what every other player must still have had.
pub(super) struct Ages {
    /// New cards, not drawn by the viewer.
    pub(super) new: Cards,
    /// Old cards of others.
    pub(super) old: Cards,
    /// New and old cards that each player must still have had.
    pub(super) room: [[u8; 2]; SEATS],
    /// New cards that each player has had.
    pub(super) drew: [Cards; SEATS],
}

impl Ages {
    /// Nothing is accounted for but the buried cards.
    pub(super) fn of(view: View<'_>, buried: &Cards) -> Self {
        let (table, own) = (view.table, view.own);
        let me = view.seat.index();
        let mine = own.hand.with(&table.laid[me]).without(&own.drew);
        let mut room = [[0; 2]; SEATS];
        for (seat, room) in room.iter_mut().enumerate().filter(|(seat, _)| *seat != me) {
            let had = table.sizes[seat] + table.laid[seat].total() as u8;
            *room = [table.drawn[seat], had - table.drawn[seat]];
        }
        Self {
            new: table.stock.without(&own.drew).without(buried),
            old: Cards::ALL.without(&table.stock).without(&Cards::one(table.first)).without(&mine),
            room,
            drew: [Cards::NONE; SEATS],
        }
    }

    /// Divides cards that a player had into new and old ones, at random where both are possible; none if
    /// some can be neither.
    pub(super) fn divide(&mut self, seat: usize, cards: &Cards, draw: &mut Draw) -> Option<()> {
        cards.cards().try_for_each(|card| self.account(seat, card, draw))
    }

    fn account(&mut self, seat: usize, card: Card, draw: &mut Draw) -> Option<()> {
        let room = &mut self.room[seat];
        let new = if room[0] > 0 { u32::from(self.new.count(card)) } else { 0 };
        let old = if room[1] > 0 { u32::from(self.old.count(card)) } else { 0 };
        if new + old == 0 {
            return None;
        }
        if old == 0 || new > 0 && draw.below(new + old) < new {
            room[0] -= 1;
            self.new.remove(card);
            self.drew[seat].add(card);
        } else {
            room[1] -= 1;
            self.old.remove(card);
        }
        Some(())
    }
}
