//! Matrix products that give the same bits on every machine.
//!
//! A sum starts with its bias (or 0). Its products follow in ascending order of the summed index, and [`Rounding`] says
//! how often each is rounded. A wider register holds more sums, not more terms of one sum. So the bits depend neither
//! on the processor nor on how rows are grouped into blocks. Skipping terms that are 0 does not change the bits either.
//! So a row gets the same result alone and in a batch.
//!
//! Rows of a matrix start `stride` numbers apart, a multiple of [`LINE`]. The padding between them is 0.

mod cells;
mod dense;
mod dots;
mod lists;
mod sparse;

use std::borrow::Cow;

pub use cells::{Cells, CellsWorkspace, Scale, cells};
pub use dense::{Left, dense};
pub use dots::dots;
pub use lists::{Lists, Term};
use pulp::Simd;
pub use sparse::sparse;

/// How often the product in a multiply-add is rounded.
pub trait Rounding: Copy + Default {
    /// Returns `sum + factor × numbers`.
    fn plus<S: Simd>(self, simd: S, sum: S::f32s, factor: S::f32s, numbers: S::f32s) -> S::f32s;
}

/// One rounding, after the addition (fused multiply-add). Learners use it. It is up to twice as fast where the
/// processor has this operation. Processors from before 2013 need many operations for it, and get the same bits.
#[derive(Copy, Clone, Debug, Default)]
pub struct Once;

/// Two roundings, after the multiplication and after the addition. Actors use it: it is equally fast everywhere, also
/// in browsers.
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

/// Numbers in the widest register.
pub const LINE: usize = 16;

/// Returns the distance between the starts of rows with `columns` numbers.
pub fn stride(columns: usize) -> usize {
    columns.next_multiple_of(LINE)
}

/// Returns the rows of a matrix padded to [`stride`], copied only if they are packed more closely.
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

/// Writes the transpose of a matrix of `columns` columns, `from`, whose rows are `from_stride` apart.
pub fn turn(from: &[f32], from_stride: usize, columns: usize, to: &mut [f32], to_stride: usize) {
    let rows = from.len() / from_stride.max(1);
    // Blocks of `LINE` × `LINE` numbers, so that both matrices stay in the first-level cache.
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

/// Applies a ReLU to every number. NaN stays NaN.
pub fn relu(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|number| *number = if *number < 0.0 { 0.0 } else { *number });
}

/// Applies the hyperbolic tangent to every number. The result does not depend on the machine.
pub fn tanh(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|number| *number = libm::tanhf(*number));
}

/// Propagates the gradient `at` backward through a ReLU whose outputs were `outputs`.
pub fn through_relu(at: &mut [f32], outputs: &[f32]) {
    at.iter_mut().zip(outputs).for_each(|(at, &output)| *at = if output > 0.0 { *at } else { 0.0 });
}

/// Writes the sum of each column to `sums`, adding one row after the other.
pub fn column_sums(rows: &[f32], sums: &mut [f32]) {
    sums.fill(0.0);
    for row in rows.chunks_exact(sums.len().max(1)) {
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
}

#[cfg(test)]
mod tests;
