//! The types that make up a game.

use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};

use super::deck::{Card, DECK};
use super::table::{Own, SEATS, Table};

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
    pub(super) own: [Own; SEATS],
    /// The seat that is asked about a +3; seat 0 if no seat is asked.
    pub(super) asked: Seat,
    /// The draw pile: the first `table.pile` cards, the top one last. The cards after them were drawn.
    pub(super) pile: [Card; DECK],
    pub(super) log: Log,
    pub(super) rng: DealRng,
}

/// A result of the last action, for events.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Happened {
    /// A player drew this many cards.
    Drew(Seat, u8),
    /// A player finished a stage of the tournament and drew the cards of the next one.
    Rose(Seat),
    /// A +3 was settled, but there was no card left to draw.
    Settled,
}

/// The most results of one action: ten players draw, and two of them also start a new stage.
const MOST: usize = SEATS + 4;

/// The results of the last action, in order.
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
    /// Removes all entries.
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

    pub(super) fn entries(&self) -> &[Happened] {
        &self.entries[..usize::from(self.len)]
    }
}
