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
    pub(super) log: Log,
    pub(super) rng: DealRng,
}

/// Something that the last action brought about.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Happened {
    /// A player drew so many cards.
    Drew(Seat, u8),
    /// A player finished his stage of the tournament, and has drawn for the next one.
    Rose(Seat),
    /// A +3 was settled, and there was no card to draw for anybody.
    Settled,
}

/// The most that happens at once: ten players draw, two of them for a new stage as well.
const MOST: usize = SEATS + 4;

/// What the last action brought about, in its order.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Log {
    entries: [Happened; MOST],
    len: u8,
}

impl Default for Log {
    fn default() -> Self {
        Self { entries: [Happened::Settled; MOST], len: 0 }
    }
}

impl Log {
    /// Begins anew.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn add(&mut self, happened: Happened) {
        if let Some(entry) = self.entries.get_mut(usize::from(self.len)) {
            *entry = happened;
            self.len += 1;
        }
    }

    /// All of it.
    pub(super) fn entries(&self) -> &[Happened] {
        &self.entries[..usize::from(self.len)]
    }
}
