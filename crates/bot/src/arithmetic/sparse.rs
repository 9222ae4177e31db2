//! Products of a sparse matrix with a dense one.

use pulp::{Arch, Simd, WithSimd};

use super::{Lists, Rounding, Term, Twice};

/// Computes `to[row] = start + Σ factor × of[at]` over the terms of each row. Without `start`, the sums start at 0. The
/// rows of `of` and `to` are `stride` numbers apart, which is also the length of `start`.
pub fn sparse(lists: &Lists, of: &[f32], start: Option<&[f32]>, stride: usize, to: &mut [f32]) {
    Arch::new().dispatch(Product { lists, of, start, stride, to });
}

pub(super) struct Product<'a> {
    pub(super) lists: &'a Lists,
    pub(super) of: &'a [f32],
    pub(super) start: Option<&'a [f32]>,
    pub(super) stride: usize,
    pub(super) to: &'a mut [f32],
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { lists, of, start, stride, to } = self;
        let ((of, _), (to, _)) = (S::as_simd_f32s(of), S::as_mut_simd_f32s(to));
        let start = start.map(|start| S::as_simd_f32s(start).0);
        let width = stride / S::F32_LANES;
        let mut first = 0;
        while first < width {
            // As many sums as there are registers.
            first += match width - first {
                16.. if S::F32_LANES == 16 => columns::<S, 16>(simd, lists, of, start, width, first, to),
                8.. => columns::<S, 8>(simd, lists, of, start, width, first, to),
                4.. => columns::<S, 4>(simd, lists, of, start, width, first, to),
                _ => columns::<S, 1>(simd, lists, of, start, width, first, to),
            };
        }
    }
}

/// Computes the columns of `V` registers for every row; returns `V`.
#[inline(always)]
fn columns<S: Simd, const V: usize>(
    simd: S,
    lists: &Lists,
    of: &[S::f32s],
    start: Option<&[S::f32s]>,
    width: usize,
    first: usize,
    to: &mut [S::f32s],
) -> usize {
    let start: [S::f32s; V] =
        std::array::from_fn(|v| start.map_or(simd.splat_f32s(0.0), |start| start[first + v]));
    for (row, terms) in lists.rows().enumerate() {
        let sums = summed(Twice, simd, terms, of, start, width, first);
        to[row * width + first..][..V].copy_from_slice(&sums);
    }
    V
}

/// Returns `start + Σ factor × of[at]` over the terms of one row, in the columns of `V` registers from `first`.
#[inline(always)]
pub(super) fn summed<R: Rounding, S: Simd, const V: usize>(
    rounding: R,
    simd: S,
    terms: &[Term],
    of: &[S::f32s],
    start: [S::f32s; V],
    width: usize,
    first: usize,
) -> [S::f32s; V] {
    let mut sums = start;
    for term in terms {
        let factor = simd.splat_f32s(term.factor);
        let line = &of[term.at as usize * width + first..][..V];
        for v in 0..V {
            sums[v] = rounding.plus(simd, sums[v], factor, line[v]);
        }
    }
    sums
}
