//! Observation rows.

use super::{Play, View};
use crate::ground::Seat;
use crate::ground::blocks::Block;

/// An earlier version of a game's encodings whose rows are the first cells of the present ones, and whose actions are the
/// present ones. A network made for it plays on: it sees the cells it was trained on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The version.
    pub encoding: u32,
    /// Cells of its rows.
    pub cells: usize,
    /// Options whose values its rows do not show, and which had no other value than the default then.
    pub unseen: &'static [&'static str],
}

impl Prefix {
    /// The version whose rows end with this block.
    pub const fn ending(encoding: u32, last: Block, unseen: &'static [&'static str]) -> Self {
        Self { encoding, cells: last.end(), unseen }
    }
}

/// What a network sees.
pub trait Observe: Play {
    /// Raised when an action id or an observation cell changes its meaning.
    const ENCODING: u32;
    /// Earlier versions that are part of the present one.
    const PREFIXES: &'static [Prefix] = &[];
    /// The cells of an observation row.
    const OBSERVATION: &'static [Block];
    /// The cells that [`Observe::reveal`] writes.
    const HIDDEN: &'static [Block];

    /// Writes the observation row, `width(OBSERVATION)` cells, every one of them.
    fn observe(view: View<'_, Self>, row: &mut [u8]);
    /// Writes what `seat` cannot see, `width(HIDDEN)` cells, for a critic in training only.
    fn reveal(&self, seat: Seat, row: &mut [u8]);
}
