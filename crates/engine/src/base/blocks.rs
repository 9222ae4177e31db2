//! Named runs of observation cells or action ids.
//!
//! Encoders, generated docs, export manifests and front ends read the same tables of [`Block`]s, so that no offset
//! is computed by hand.

use schemars::JsonSchema;
use serde::Serialize;

use crate::base::ActionId;

/// A named block of consecutive cells of an observation row, or of consecutive action ids.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Block {
    /// Short name, unique within its table (`hand`, `table_rank`, …).
    pub name: &'static str,
    /// First cell or id.
    pub offset: usize,
    /// Number of cells or ids, at least 1.
    pub len: usize,
    /// Largest value that a cell of the block may hold; networks divide by it. 1 for action blocks.
    pub max: u8,
    /// The explanation of the block for people.
    pub meaning: &'static str,
}

impl Block {
    /// The first block of a table.
    pub const fn first(name: &'static str, len: usize, max: u8, meaning: &'static str) -> Self {
        Self { name, offset: 0, len, max, meaning }
    }

    /// The block that follows `self`.
    pub const fn then(&self, name: &'static str, len: usize, max: u8, meaning: &'static str) -> Self {
        Self { name, offset: self.end(), len, max, meaning }
    }

    /// One past the last cell or id.
    pub const fn end(&self) -> usize {
        self.offset + self.len
    }

    /// The cells of this block within a row.
    pub fn of<'r>(&self, row: &'r [u8]) -> &'r [u8] {
        &row[self.offset..self.end()]
    }

    /// Writes all cells of this block within a row.
    #[inline]
    pub fn set<const N: usize, const WIDTH: usize>(&self, cells: [u8; N], row: &mut [u8; WIDTH]) {
        row[self.offset..self.end()].copy_from_slice(&cells);
    }

    /// The action at index `i` (`0..len`) of a block of actions.
    pub const fn nth(&self, i: usize) -> ActionId {
        ActionId((self.offset + i) as u16)
    }

    /// The index of `action` in a block of actions; `None` if it is not in the block.
    #[inline]
    pub const fn index(&self, action: ActionId) -> Option<usize> {
        let id = action.0 as usize;
        if id >= self.offset && id < self.end() { Some(id - self.offset) } else { None }
    }
}

/// Declares a table of blocks: a constant for every block, each following the one before it, and the table of all
/// blocks.
///
/// ```
/// cardsharp_env::blocks! {
///     /// The cells of a row.
///     pub OBSERVATION {
///         /// What is held.
///         HAND: "hand", 13, 4, "Cards in hand by rank.";
///         TRICK: "trick", 13, 1, "The rank to beat, one-hot.";
///     }
/// }
/// assert_eq!((TRICK.offset, OBSERVATION.len()), (13, 2));
/// ```
#[macro_export]
macro_rules! blocks {
    (
        $(#[$doc:meta])*
        $vis:vis $table:ident {
            $(#[$first_doc:meta])* $first_vis:vis $first:ident: $name:literal, $len:expr, $max:expr, $meaning:expr;
            $(
                $(#[$next_doc:meta])*
                $next_vis:vis $next:ident: $next_name:literal, $next_len:expr, $next_max:expr, $next_meaning:expr;
            )*
        }
    ) => {
        $(#[$first_doc])*
        $first_vis const $first: $crate::Block = $crate::Block::first($name, $len, $max, $meaning);
        $crate::blocks!(@after $first [
            $($(#[$next_doc])* $next_vis $next: $next_name, $next_len, $next_max, $next_meaning;)*
        ]);
        $(#[$doc])*
        $vis const $table: &[$crate::Block] = &[$first $(, $next)*];
    };
    (@after $before:ident []) => {};
    (@after $before:ident [
        $(#[$doc:meta])* $vis:vis $own:ident: $name:literal, $len:expr, $max:expr, $meaning:expr;
        $($rest:tt)*
    ]) => {
        $(#[$doc])*
        $vis const $own: $crate::Block = $before.then($name, $len, $max, $meaning);
        $crate::blocks!(@after $own [$($rest)*]);
    };
}

/// Returns a table of thermometer codes: in row `n`, the first `n` cells are 1, or all if there are no more than
/// `n`.
pub const fn ones<const CELLS: usize, const N: usize>() -> [[u8; CELLS]; N] {
    let mut table = [[0; CELLS]; N];
    let mut n = 0;
    while n < N {
        let mut i = 0;
        while i < n && i < CELLS {
            table[n][i] = 1;
            i += 1;
        }
        n += 1;
    }
    table
}

/// Returns a row as an array of `WIDTH` cells; `None` if it has another width, which is a bug in the caller.
#[inline]
pub fn whole<const WIDTH: usize>(row: &mut [u8]) -> Option<&mut [u8; WIDTH]> {
    let cells = row.len();
    let row = row.try_into().ok();
    debug_assert!(row.is_some(), "{cells} cells for a row of {WIDTH}");
    row
}

/// Number of cells (or ids) a table of blocks covers.
pub const fn width(blocks: &[Block]) -> usize {
    blocks[blocks.len() - 1].end()
}

/// The factor per cell that maps a row to `0.0 ..= 1.0`: one over the maximum of the cell's block.
pub fn scales(blocks: &[Block]) -> Vec<f32> {
    blocks.iter().flat_map(|b| std::iter::repeat_n(1.0 / f32::from(b.max), b.len)).collect()
}
