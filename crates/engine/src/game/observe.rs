//! How a game writes a view as a row of numbers.

use super::{Play, View};
use crate::base::Seat;
use crate::base::blocks::Block;

/// An earlier version of a game's encodings, with the same actions and with rows that are the first cells of
/// current rows. A network made for it still works: it sees the cells it was trained on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The version of the shorter encoding.
    pub encoding: u32,
    /// Cells of its rows.
    pub cells: usize,
    /// Options that its rows do not show. When that version was current, they had only their default value.
    pub unseen: &'static [&'static str],
}

impl Prefix {
    /// The version whose rows end with this block.
    pub const fn ending(encoding: u32, last: Block, unseen: &'static [&'static str]) -> Self {
        Self { encoding, cells: last.end(), unseen }
    }
}

/// The observation of a view, as networks see it.
pub trait Observe: Play {
    /// The version of the encodings. Raised when an action id or an observation cell changes its meaning.
    const ENCODING: u32;
    /// Earlier versions that are prefixes of the current one.
    const PREFIXES: &'static [Prefix] = &[];
    /// The blocks of an observation row.
    const OBSERVATION: &'static [Block];
    /// The blocks of the cells that [`Observe::reveal`] writes.
    const HIDDEN: &'static [Block];

    /// Writes all cells of the observation row, `width(OBSERVATION)` of them.
    fn observe(view: View<'_, Self>, row: &mut [u8]);
    /// Writes what `seat` cannot see, `width(HIDDEN)` cells. Only for a critic in training.
    fn reveal(&self, seat: Seat, row: &mut [u8]);
}
