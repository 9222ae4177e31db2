//! Networks in plain Rust: the form in which weights are stored, and inference fast enough to be the
//! actor of training.
//!
//! An observation row is mostly zeros, and after a ReLU about half of the activations are, so every
//! layer works on a list of its nonzero inputs. Weights are copied into tiles of 32 outputs
//! whose sums stay in registers while that list is walked; a batch goes through one tile after the
//! other, so that a tile is read from the nearest cache. Only legal actions get a logit.
//!
//! Every output is `bias + x₀w₀ + x₁w₁ + …` over the nonzero inputs in ascending order, one rounding
//! per multiplication and one per addition (never fused). That order depends neither on the size of the
//! batch nor on the width of the CPU's registers, so a row gives the same bits alone, in any batch, on
//! any CPU.

mod kernel;
mod weights;

use std::borrow::Cow;

use cardsharp_env::mask;
use ndarray::{Array2, ArrayView1, ArrayView2};

use kernel::{LANES, Tiles, dot, push_activations};

pub use kernel::Scratch;
pub use weights::{Dense, ShapeError, Weights};

/// Rows that go through a layer together. 32 rows' lists and activations stay in the second cache.
const BLOCK: usize = 32;

/// A network ready to play: its [`Weights`] (reached by dereferencing; they cannot be changed) and the
/// copies of them that inference reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    weights: Weights,
    tiles: Vec<Tiles>,
    /// `[actions, heads]`: one action's weights are contiguous and padded with zeros.
    policy: Vec<f32>,
    /// `[heads]`, padded with zeros.
    value: Vec<f32>,
    /// Length of the padded output of the last hidden layer.
    heads: usize,
}

impl std::ops::Deref for Net {
    type Target = Weights;
    fn deref(&self) -> &Weights {
        &self.weights
    }
}

impl Net {
    /// Makes a network of numbers whose shapes fit each other.
    ///
    /// # Errors
    /// The layer whose shape does not fit, and how.
    pub fn new(weights: Weights) -> Result<Self, ShapeError> {
        weights.check()?;
        let tiles: Vec<Tiles> = weights.trunk.iter().map(Tiles::new).collect();
        let heads = weights.policy.inputs.next_multiple_of(LANES);
        let mut policy = vec![0.0; weights.policy.outputs * heads];
        for (input, row) in weights.policy.weight.chunks_exact(weights.policy.outputs).enumerate() {
            for (action, &weight) in row.iter().enumerate() {
                policy[action * heads + input] = weight;
            }
        }
        let mut value = weights.value.weight.clone();
        value.resize(heads, 0.0);
        Ok(Self { weights, tiles, policy, value, heads })
    }

    /// Fills `logits` (`[actions]`) at the actions set in `legal` and with minus infinity elsewhere,
    /// and returns the value of the observation row `row` (`[cells]`).
    ///
    /// # Panics
    /// If a length is not that of the network.
    pub fn forward(&self, row: &[u8], legal: &[u64], scratch: &mut Scratch, logits: &mut [f32]) -> f32 {
        assert_eq!((row.len(), logits.len()), (self.scale.len(), self.weights.policy.outputs));
        scratch.clear();
        scratch.push(row, &self.scale);
        self.hidden(scratch);
        self.heads(&scratch.outputs, legal, logits)
    }

    /// [`Net::forward`] for every row of `rows` (`[rows, cells]`) and `legal` (`[rows, words]`):
    /// `logits` is `[rows, actions]`, `values` is `[rows]`. Gives each row the bits that `forward` gives.
    ///
    /// # Panics
    /// If a shape does not fit the network or the number of rows, or `logits` is not in standard layout.
    pub fn forward_batch(
        &self,
        rows: ArrayView2<'_, u8>,
        legal: ArrayView2<'_, u64>,
        scratch: &mut Scratch,
        logits: &mut Array2<f32>,
        values: &mut [f32],
    ) {
        assert_eq!((legal.nrows(), values.len()), (rows.nrows(), rows.nrows()), "one mask and value per row");
        let lanes: Vec<usize> = (0..rows.nrows()).collect();
        self.forward_lanes(rows, legal, &lanes, scratch, logits, values);
    }

    /// [`Net::forward_batch`] for chosen rows: the answer to row `lanes[k]` lands in row `k` of `logits`
    /// and `values`, which may be longer than `lanes`.
    ///
    /// # Panics
    /// If a shape does not fit the network or the lanes, or `logits` is not in standard layout.
    pub fn forward_lanes(
        &self,
        rows: ArrayView2<'_, u8>,
        legal: ArrayView2<'_, u64>,
        lanes: &[usize],
        scratch: &mut Scratch,
        logits: &mut Array2<f32>,
        values: &mut [f32],
    ) {
        let actions = self.weights.policy.outputs;
        assert_eq!((rows.ncols(), logits.ncols()), (self.scale.len(), actions), "cells and actions");
        let Some(logits) = logits.as_slice_mut() else { panic!("logits must be in standard layout") };
        assert!(values.len() >= lanes.len() && logits.len() >= lanes.len() * actions, "room for every lane");
        let blocks =
            lanes.chunks(BLOCK).zip(logits.chunks_mut(BLOCK * actions)).zip(values.chunks_mut(BLOCK));
        for ((lanes, logits), values) in blocks {
            scratch.clear();
            for &lane in lanes {
                scratch.push(&contiguous(rows.row(lane)), &self.scale);
            }
            self.hidden(scratch);
            let outputs = scratch.outputs.chunks_exact(self.heads);
            let rows = lanes.iter().zip(outputs).zip(logits.chunks_exact_mut(actions)).zip(values);
            for (((&lane, outputs), logits), value) in rows {
                *value = self.heads(outputs, &contiguous(legal.row(lane)), logits);
            }
        }
    }

    /// Takes the rows' inputs through the hidden layers; leaves `[rows, heads]` in `scratch.outputs`.
    fn hidden(&self, scratch: &mut Scratch) {
        let Scratch { inputs, ends, outputs } = scratch;
        for (number, tiles) in self.tiles.iter().enumerate() {
            if number > 0 {
                inputs.clear();
                let padded = self.tiles[number - 1].outputs();
                for (row, end) in outputs.chunks_exact(padded).zip(ends.iter_mut()) {
                    push_activations(row, inputs);
                    *end = inputs.len();
                }
            }
            outputs.resize(ends.len() * tiles.outputs(), 0.0);
            tiles.apply(inputs, ends, outputs);
        }
    }

    /// The legal logits and the value of one row's last hidden output.
    fn heads(&self, outputs: &[f32], legal: &[u64], logits: &mut [f32]) -> f32 {
        logits.fill(f32::NEG_INFINITY);
        for action in mask::actions(legal).map(|action| usize::from(action.0)) {
            let weights = &self.policy[action * self.heads..][..self.heads];
            logits[action] = dot(outputs, weights) + self.weights.policy.bias[action];
        }
        dot(outputs, &self.value) + self.weights.value.bias[0]
    }
}

/// The elements of a row, copied only if they are scattered in memory.
pub(crate) fn contiguous<T: Copy>(row: ArrayView1<'_, T>) -> Cow<'_, [T]> {
    match row.to_slice() {
        Some(slice) => Cow::Borrowed(slice),
        None => Cow::Owned(row.to_vec()),
    }
}

#[cfg(test)]
mod tests;
