//! New and old cards: those shuffled into the current draw pile, and those that players held at that time.

use cardsharp_engine::rng::Draw;

use crate::View;
use crate::deck::{Card, Cards};
use crate::table::SEATS;

/// Cards still to be assigned, and how many each other player must still get.
pub(super) struct Ages {
    /// New cards that the viewer has not drawn.
    pub(super) new: Cards,
    /// Old cards that the viewer did not have.
    pub(super) old: Cards,
    /// How many new and old cards each player must still get, including cards laid since.
    pub(super) room: [[u8; 2]; SEATS],
    /// New cards assigned to each player.
    pub(super) drew: [Cards; SEATS],
}

impl Ages {
    /// Starts with no cards assigned except the buried ones.
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

    /// Assigns cards that a player had to new or old ones, at random if both are possible. Returns `None` if
    /// a card can be neither.
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
