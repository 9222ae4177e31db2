//! Products of matrices, with the same bits on every machine.
//!
//! A sum begins with its bias (or 0), and its products follow in ascending order of what is summed over, each rounded as often as
//! [`Rounding`] says. A wider register holds more sums side by side, not more
//! terms of one, so the bits depend neither on the processor nor on how rows are cut into blocks. Where terms that are 0 are left
//! out, nothing changes either. So what an actor computes of many rows is what it computes of one.
//!
//! Rows of a matrix begin `stride` numbers apart, a multiple of [`LINE`]; what stands between them is 0.

mod cells;
mod dense;
mod dots;
mod lists;
mod sparse;

use std::borrow::Cow;

pub use cells::{Cells, CellsRoom, Scale, cells};
pub use dense::{Left, dense};
pub use dots::dots;
pub use lists::{Lists, Term};
use pulp::Simd;
pub use sparse::sparse;

/// How often a product that is added to a sum is rounded.
pub trait Rounding: Copy + Default {
    /// `sum + factor × numbers`.
    fn plus<S: Simd>(self, simd: S, sum: S::f32s, factor: S::f32s, numbers: S::f32s) -> S::f32s;
}

/// Once, with the sum: a learner's way. Where multiplying and adding is one operation it is up to twice as fast; where it is not
/// (processors from before 2013) it takes many, and gives the same bits.
#[derive(Copy, Clone, Debug, Default)]
pub struct Once;

/// By itself, and then with the sum: an actor's way, as fast everywhere, in browsers too.
#[derive(Copy, Clone, Debug, Default)]
pub struct Twice;

impl Rounding for Once {
    #[inline(always)]
    fn plus<S: Simd>(self, simd: S, sum: S::f32s, factor: S::f32s, numbers: S::f32s) -> S::f32s {
        simd.mul_add_f32s(factor, numbers, sum)
    }
}

impl Rounding for Twice {
    #[inline(always)]
    fn plus<S: Simd>(self, simd: S, sum: S::f32s, factor: S::f32s, numbers: S::f32s) -> S::f32s {
        simd.add_f32s(sum, simd.mul_f32s(factor, numbers))
    }
}

/// Numbers of the widest register.
pub const LINE: usize = 16;

/// The distance of rows of so many numbers.
pub fn stride(columns: usize) -> usize {
    columns.next_multiple_of(LINE)
}

/// The rows of a matrix at their distance, copied only if they lie closer than that.
pub fn padded(numbers: &[f32], columns: usize) -> Cow<'_, [f32]> {
    let stride = stride(columns);
    if columns == stride {
        return Cow::Borrowed(numbers);
    }
    let mut all = vec![0.0; numbers.len() / columns.max(1) * stride];
    for (from, to) in numbers.chunks_exact(columns.max(1)).zip(all.chunks_exact_mut(stride.max(1))) {
        to[..columns].copy_from_slice(from);
    }
    Cow::Owned(all)
}

/// Writes a matrix of `columns` columns (`from`, its rows `from_stride` apart) with its rows and columns exchanged.
pub fn turn(from: &[f32], from_stride: usize, columns: usize, to: &mut [f32], to_stride: usize) {
    let rows = from.len() / from_stride.max(1);
    // Both sides of a block stay in the nearest cache.
    for first in (0..rows).step_by(LINE) {
        for left in (0..columns).step_by(LINE) {
            for row in first..(first + LINE).min(rows) {
                for column in left..(left + LINE).min(columns) {
                    to[column * to_stride + row] = from[row * from_stride + column];
                }
            }
        }
    }
}

/// The ReLU of every number. What is no number stays so.
pub fn relu(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|number| *number = if *number < 0.0 { 0.0 } else { *number });
}

/// Takes a gradient back through a ReLU that gave `outputs`.
pub fn through_relu(at: &mut [f32], outputs: &[f32]) {
    at.iter_mut().zip(outputs).for_each(|(at, &output)| *at = if output > 0.0 { *at } else { 0.0 });
}

/// The sums of columns, one row after the other.
pub fn column_sums(rows: &[f32], sums: &mut [f32]) {
    sums.fill(0.0);
    for row in rows.chunks_exact(sums.len().max(1)) {
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
}

#[cfg(test)]
mod tests;
