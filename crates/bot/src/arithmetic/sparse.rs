//! Products of a sparse matrix with a dense one.

use pulp::{Arch, Simd, WithSimd};

use super::{Lists, Rounding, Twice};

/// Computes `to[row] = start + Σ factor × of[at]` over the terms of each row. Without `start`, the sums start at 0. The
/// rows of `of` and `to` are `stride` numbers apart, which is also the length of `start`.
pub fn sparse(lists: &Lists, of: &[f32], start: Option<&[f32]>, stride: usize, to: &mut [f32]) {
    Arch::new().dispatch(Product { rounding: Twice, lists, of, start, stride, to });
}

pub(super) struct Product<'a, R> {
    pub(super) rounding: R,
    pub(super) lists: &'a Lists,
    pub(super) of: &'a [f32],
    pub(super) start: Option<&'a [f32]>,
    pub(super) stride: usize,
    pub(super) to: &'a mut [f32],
}

impl<R: Rounding> WithSimd for Product<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rounding, lists, of, start, stride, to } = self;
        let ((of, _), (to, _)) = (S::as_simd_f32s(of), S::as_mut_simd_f32s(to));
        let start = start.map(|start| S::as_simd_f32s(start).0);
        let width = stride / S::F32_LANES;
        let mut first = 0;
        while first < width {
            let tile = Tile { rounding, lists, of, start, width, first };
            // As many sums as there are registers.
            first += match width - first {
                16.. if S::F32_LANES == 16 => tile.product::<16>(simd, to),
                8.. => tile.product::<8>(simd, to),
                4.. => tile.product::<4>(simd, to),
                _ => tile.product::<1>(simd, to),
            };
        }
    }
}

/// Some columns of a product.
struct Tile<'a, R, S: Simd> {
    rounding: R,
    lists: &'a Lists,
    of: &'a [S::f32s],
    start: Option<&'a [S::f32s]>,
    width: usize,
    first: usize,
}

impl<R: Rounding, S: Simd> Tile<'_, R, S> {
    /// Computes the columns of `V` registers for every row; returns `V`.
    #[inline(always)]
    fn product<const V: usize>(self, simd: S, to: &mut [S::f32s]) -> usize {
        let Self { rounding, lists, of, start, width, first } = self;
        let start = std::array::from_fn(|v| start.map_or(simd.splat_f32s(0.0), |start| start[first + v]));
        for (row, terms) in lists.rows().enumerate() {
            let mut sums: [S::f32s; V] = start;
            for term in terms {
                let factor = simd.splat_f32s(term.factor);
                let line = &of[term.at as usize * width + first..][..V];
                for v in 0..V {
                    sums[v] = rounding.plus(simd, sums[v], factor, line[v]);
                }
            }
            to[row * width + first..][..V].copy_from_slice(&sums);
        }
        V
    }
}
