//! Products of two dense matrices.

use pulp::{Arch, Simd, WithSimd};

use super::Rounding;

/// The left factor of a product.
#[derive(Copy, Clone, Debug)]
pub struct Left<'a> {
    /// The numbers, row by row.
    pub numbers: &'a [f32],
    /// The distance between the starts of rows.
    pub stride: usize,
    /// Whether the factor is the transpose of this matrix.
    pub turned: bool,
}

/// Computes `to[row] = start + Σ left[row, term] × of[term]` for `rows` rows, over all rows of `of`. Without `start`,
/// the sums start at 0. The rows of `of` and `to` are `stride` numbers apart, which is also the length of `start`.
/// `room` is a buffer, whose content does not matter.
pub fn dense<R: Rounding>(
    left: Left<'_>,
    rows: usize,
    of: &[f32],
    start: Option<&[f32]>,
    stride: usize,
    room: &mut Vec<f32>,
    to: &mut [f32],
) {
    Arch::new().dispatch(Product { rounding: R::default(), left, rows, of, start, stride, room, to });
}

pub(super) struct Product<'a, R> {
    pub(super) rounding: R,
    pub(super) left: Left<'a>,
    pub(super) rows: usize,
    pub(super) of: &'a [f32],
    pub(super) start: Option<&'a [f32]>,
    pub(super) stride: usize,
    pub(super) room: &'a mut Vec<f32>,
    pub(super) to: &'a mut [f32],
}

impl<R: Rounding> WithSimd for Product<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rounding, left, rows, of, start, stride, room, to } = self;
        let ((of, _), (to, _)) = (S::as_simd_f32s(of), S::as_mut_simd_f32s(to));
        let start = start.map(|start| S::as_simd_f32s(start).0);
        let width = stride / S::F32_LANES;
        room.resize(room.len().max(of.len() / width.max(1) * 4 * S::F32_LANES), 0.0);
        let (room, _) = S::as_mut_simd_f32s(room);
        let mut first = 0;
        while first < width {
            let tile = Tile { rounding, left, rows, of, start, width, first };
            // As many sums of six rows as there are registers.
            first += match width - first {
                4.. if S::F32_LANES == 16 => tile.product::<4>(simd, room, to),
                2.. => tile.product::<2>(simd, room, to),
                _ => tile.product::<1>(simd, room, to),
            };
        }
    }
}

/// Some columns of a product.
#[derive(Copy, Clone)]
struct Tile<'a, R, S: Simd> {
    rounding: R,
    left: Left<'a>,
    rows: usize,
    of: &'a [S::f32s],
    start: Option<&'a [S::f32s]>,
    width: usize,
    first: usize,
}

impl<R: Rounding, S: Simd> Tile<'_, R, S> {
    /// Computes the columns of `V` registers for all rows; returns `V`.
    #[inline(always)]
    fn product<const V: usize>(self, simd: S, room: &mut [S::f32s], to: &mut [S::f32s]) -> usize {
        /// Rows that are multiplied together.
        const ROWS: usize = 6;
        let lines = room.as_chunks_mut::<V>().0;
        for (line, of) in lines.iter_mut().zip(self.of.chunks_exact(self.width)) {
            line.copy_from_slice(&of[self.first..][..V]);
        }
        let lines = &lines[..self.of.len() / self.width];
        let whole = self.rows - self.rows % ROWS;
        for row in (0..whole).step_by(ROWS) {
            self.block::<V, ROWS>(simd, lines, row, to);
        }
        for row in whole..self.rows {
            self.block::<V, 1>(simd, lines, row, to);
        }
        V
    }

    /// Computes these columns for `M` rows, from `row`.
    #[inline(always)]
    fn block<const V: usize, const M: usize>(
        self,
        simd: S,
        lines: &[[S::f32s; V]],
        row: usize,
        to: &mut [S::f32s],
    ) {
        let Left { numbers, stride, turned } = self.left;
        let start = std::array::from_fn(|v| self.start.map_or(simd.splat_f32s(0.0), |s| s[self.first + v]));
        let mut sums: [[S::f32s; V]; M] = [start; M];
        let add = |sums: &mut [[S::f32s; V]; M], m: usize, factor: f32, line: &[S::f32s; V]| {
            let factor = simd.splat_f32s(factor);
            for v in 0..V {
                sums[m][v] = self.rounding.plus(simd, sums[m][v], factor, line[v]);
            }
        };
        if turned {
            for (line, factors) in lines.iter().zip(numbers.chunks_exact(stride)) {
                for (m, &factor) in factors[row..][..M].iter().enumerate() {
                    add(&mut sums, m, factor, line);
                }
            }
        } else {
            let factors: [&[f32]; M] = std::array::from_fn(|m| &numbers[(row + m) * stride..][..lines.len()]);
            for (term, line) in lines.iter().enumerate() {
                for (m, factors) in factors.iter().enumerate() {
                    add(&mut sums, m, factors[term], line);
                }
            }
        }
        for (m, sums) in sums.iter().enumerate() {
            to[(row + m) * self.width + self.first..][..V].copy_from_slice(sums);
        }
    }
}
