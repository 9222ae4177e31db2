//! What a player with perfect memory remembers of the round: all cards played, and all passes.

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::hands::Counts;
use serde::{Deserialize, Serialize};

/// Passes are remembered for sets of 1 to this many cards.
pub const REMEMBERED_SIZES: usize = 6;

/// Public memory of one round by position, for decks of `N` ranks. Views of games with named ranks write it as
/// `MemoryForm`; other games serialize it directly.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Memory<const N: usize> {
    /// Cards each position has played.
    pub played: [Counts<N>; MAX_SEATS],
    /// How many cards each position has played.
    pub total: [u8; MAX_SEATS],
    /// All cards played.
    pub gone: Counts<N>,
    /// For set sizes of 1 to 6 cards: the lowest strength on which the position passed in this round, plus one. 0 if it
    /// has not passed on that size.
    pub passed_on: [[u8; REMEMBERED_SIZES]; MAX_SEATS],
}

impl<const N: usize> Memory<N> {
    /// The memory at the start of a round.
    pub const EMPTY: Self = Self {
        played: [Counts::NONE; MAX_SEATS],
        total: [0; MAX_SEATS],
        gone: Counts::NONE,
        passed_on: [[0; REMEMBERED_SIZES]; MAX_SEATS],
    };

    /// Records that `position` played `count` cards of rank index `rank`.
    #[inline]
    pub fn record_play(&mut self, position: u8, rank: usize, count: u8) {
        self.played[usize::from(position)].0[rank] += count;
        self.total[usize::from(position)] += count;
        self.gone.0[rank] += count;
    }

    /// Records that `position` passed on a set of `size` cards of this strength.
    #[inline]
    pub fn record_pass(&mut self, position: u8, size: u8, strength: u8) {
        if let Some(cell) = self.passed_on[usize::from(position)].get_mut(usize::from(size).wrapping_sub(1))
            && (*cell == 0 || *cell > strength + 1)
        {
            *cell = strength + 1;
        }
    }
}
