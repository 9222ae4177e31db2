//! Dot products of chosen rows with one vector.

use pulp::{Arch, Simd, WithSimd};

use super::{Rounding, Twice};

/// Partial sums of a dot product. Their number is fixed, so that registers of every width give the same bits.
const PARTS: usize = 32;

/// Writes `biases[row] + of[row] · with` for the chosen rows of `of`, in the order of `chosen`.
pub fn dots(chosen: &[u16], of: &[f32], biases: &[f32], with: &[f32], to: &mut Vec<f32>) {
    to.clear();
    Arch::new().dispatch(Products { chosen, of, biases, with, to });
}

pub(super) struct Products<'a> {
    pub(super) chosen: &'a [u16],
    pub(super) of: &'a [f32],
    pub(super) biases: &'a [f32],
    pub(super) with: &'a [f32],
    pub(super) to: &'a mut Vec<f32>,
}

impl WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { chosen, of, biases, with, to } = self;
        for row in chosen.iter().map(|&row| usize::from(row)) {
            let of = &of[row * with.len()..][..with.len()];
            to.push(
                match S::F32_LANES {
                    16 => dot::<S, 2>(simd, of, with),
                    8 => dot::<S, 4>(simd, of, with),
                    4 => dot::<S, 8>(simd, of, with),
                    _ => dot::<S, PARTS>(simd, of, with),
                } + biases[row],
            );
        }
    }
}

/// Computes a dot product in [`PARTS`] partial sums (`V` registers), then adds the halves until one sum is left.
#[inline(always)]
fn dot<S: Simd, const V: usize>(simd: S, a: &[f32], b: &[f32]) -> f32 {
    let ((a, _), (b, _)) = (S::as_simd_f32s(a), S::as_simd_f32s(b));
    let ((a, left_a), (b, left_b)) = (a.as_chunks::<V>(), b.as_chunks::<V>());
    let mut sums = [simd.splat_f32s(0.0); V];
    for (a, b) in a.iter().zip(b) {
        for v in 0..V {
            sums[v] = Twice.plus(simd, sums[v], a[v], b[v]);
        }
    }
    // The length may end with half a block of sums.
    for (sum, (&a, &b)) in sums.iter_mut().zip(left_a.iter().zip(left_b)) {
        *sum = Twice.plus(simd, *sum, a, b);
    }
    let mut parts = [0.0; PARTS];
    let (whole, _) = S::as_mut_simd_f32s(&mut parts);
    whole.copy_from_slice(&sums);
    let mut half = PARTS;
    while half > 1 {
        half /= 2;
        let (low, high) = parts[..2 * half].split_at_mut(half);
        low.iter_mut().zip(high).for_each(|(low, high)| *low += *high);
    }
    parts[0]
}
