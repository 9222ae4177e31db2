//! Observation rows.

use super::{Play, View};
use crate::ground::Seat;
use crate::ground::blocks::Block;

/// What a network sees.
pub trait Observe: Play {
    /// Raised when an action id or an observation cell changes its meaning.
    const ENCODING: u32;
    /// The cells of an observation row.
    const OBSERVATION: &'static [Block];
    /// The cells that [`Observe::reveal`] writes.
    const HIDDEN: &'static [Block];

    /// Writes the observation row, `width(OBSERVATION)` cells, every one of them.
    fn observe(view: View<'_, Self>, row: &mut [u8]);
    /// Writes what `seat` cannot see, `width(HIDDEN)` cells, for a critic in training only.
    fn reveal(&self, seat: Seat, row: &mut [u8]);
}
