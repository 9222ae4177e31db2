//! What a game is made of.

use serde::{Deserialize, Serialize};

use super::deck::{Card, DECK};
use super::table::{Own, SEATS, Table};
use crate::ground::rng::DealRng;
use crate::ground::{MAX_SEATS, Seat};

/// What one game hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Games played.
    pub games: u16,
    /// Games won by each seat.
    pub wins: [i32; MAX_SEATS],
}

/// One game, or one tournament.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    pub(super) table: Table,
    /// By seat.
    pub(super) own: [Own; SEATS],
    /// Who is asked about a +3; seat 0 while nobody is.
    pub(super) asked: Seat,
    /// The draw pile, `table.pile` cards, the top one last. Behind it the cards that were drawn.
    pub(super) pile: [Card; DECK],
    pub(super) log: DrawLog,
    pub(super) rng: DealRng,
}

/// Who drew how many cards since the last action, in their order.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct DrawLog {
    entries: [(Seat, u8); SEATS + 2],
    len: u8,
}

impl DrawLog {
    /// Begins anew.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn add(&mut self, seat: Seat, cards: u8) {
        // Each of ten players draws at most once, and two may draw for a new stage as well.
        if let Some(entry) = self.entries.get_mut(usize::from(self.len)) {
            *entry = (seat, cards);
            self.len += 1;
        }
    }

    /// Who drew how many cards.
    pub(super) fn entries(&self) -> &[(Seat, u8)] {
        &self.entries[..usize::from(self.len)]
    }
}
