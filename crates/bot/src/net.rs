//! Networks in plain Rust: the form in which weights are stored, and inference fast enough to be the
//! actor of training.
//!
//! An observation row is mostly zeros, and after a ReLU about half of the activations are as well: for a few rows every layer
//! walks lists of nonzero inputs. Many rows go through the first layer by sixes and through the others as dense products.
//! Only legal actions get a logit.
//!
//! Every output of a hidden layer is `bias + x₀w₀ + x₁w₁ + …` in ascending order, one rounding per multiplication and one per
//! addition ([`arithmetic`](crate::arithmetic)). That order depends neither on the size of the batch nor on the width of the
//! CPU's registers, so a row gives the same bits alone, in any batch, on any CPU.

mod weights;

use std::borrow::Cow;

use cardsharp_env::mask;
use ndarray::{Array2, ArrayView1, ArrayView2};

use crate::arithmetic::{
    Cells, CellsRoom, Left, Lists, Scale, Twice, cells, dense, dots, padded, relu, sparse, stride, turn,
};

pub use weights::{Dense, ShapeError, Weights};

/// Rows that go through a layer together. 32 rows' lists and activations stay in the second cache.
const BLOCK: usize = 32;

/// Whether there are so many rows that lists are slower. Not in browsers, whose engine is to be small: there are few.
fn many(rows: usize) -> bool {
    !cfg!(target_family = "wasm") && rows >= 6
}

/// A network ready to play: its [`Weights`] (reached by dereferencing; they cannot be changed) and the
/// copies of them that inference reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    weights: Weights,
    trunk: Vec<Layer>,
    /// `[actions + 1, heads]`: the weights of an action lie side by side, padded with zeros, those of the value after them.
    heads: Vec<f32>,
    /// `[actions + 1]`.
    biases: Vec<f32>,
    /// Length of the padded output of the last hidden layer.
    width: usize,
}

/// A hidden layer, its rows padded with zeros.
#[derive(Clone, Debug, PartialEq)]
struct Layer {
    /// `[inputs, stride]`.
    weight: Vec<f32>,
    /// `[stride]`.
    bias: Vec<f32>,
}

/// Room that inference reuses between calls. Its content never influences a result.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The nonzero inputs of a layer.
    inputs: Lists,
    /// Many rows, and the same with rows and columns exchanged.
    rows: Cells,
    turned: Cells,
    cells: CellsRoom,
    /// Outputs of the layer done last, `[rows, padded outputs]`.
    outputs: Vec<f32>,
    /// Those of the layer before.
    before: Vec<f32>,
    room: Vec<f32>,
    /// Heads' outputs that are wanted, and what they are.
    asked: Vec<u16>,
    given: Vec<f32>,
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
        let layer = |layer: &Dense| Layer {
            weight: padded(&layer.weight, layer.outputs).into_owned(),
            bias: padded(&layer.bias, layer.outputs).into_owned(),
        };
        let trunk = weights.trunk.iter().map(layer).collect();
        let (actions, width) = (weights.policy.outputs, stride(weights.policy.inputs));
        let mut heads = vec![0.0; actions * width];
        turn(&weights.policy.weight, actions, actions, &mut heads, width);
        heads.extend_from_slice(&weights.value.weight);
        heads.resize((actions + 1) * width, 0.0);
        let biases = weights.policy.bias.iter().chain(&weights.value.bias).copied().collect();
        Ok(Self { weights, trunk, heads, biases, width })
    }

    /// The same network with a scale for every cell of longer rows. It does not look at the new cells before it learns to.
    ///
    /// # Errors
    /// There are fewer scales than cells.
    pub fn widened(&self, scale: &[f32]) -> Result<Self, ShapeError> {
        let mut weights = self.weights.clone();
        weights.scale.extend(scale.iter().skip(self.scale.len()));
        if let Some(first) = weights.trunk.first_mut() {
            first.inputs = scale.len();
            first.weight.resize(first.inputs * first.outputs, 0.0);
        }
        Self::new(weights)
    }

    /// The cells of a row that the network sees: the first ones. Rows of a later version of the encodings may have more.
    fn seen<'r>(&self, row: &'r [u8]) -> &'r [u8] {
        &row[..self.scale.len()]
    }

    /// Fills `logits` (`[actions]`) at the actions set in `legal` and with minus infinity elsewhere,
    /// and returns the value of the observation row `row` (`[cells]`, of which it sees the first ones).
    ///
    /// # Panics
    /// If the row has fewer cells than the network, or another length is not the network's.
    pub fn forward(&self, row: &[u8], legal: &[u64], scratch: &mut Scratch, logits: &mut [f32]) -> f32 {
        assert_eq!(logits.len(), self.weights.policy.outputs);
        let row = self.seen(row);
        scratch.inputs.clear();
        scratch.inputs.push_cells(row, &self.scale);
        scratch.inputs.end();
        self.hidden(1, scratch);
        self.heads(0, legal, scratch, logits)
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
        assert_eq!(logits.ncols(), actions, "a logit for every action");
        assert!(rows.ncols() >= self.scale.len(), "rows with all cells of the network");
        let Some(logits) = logits.as_slice_mut() else { panic!("logits must be in standard layout") };
        assert!(values.len() >= lanes.len() && logits.len() >= lanes.len() * actions, "room for every lane");
        let blocks =
            lanes.chunks(BLOCK).zip(logits.chunks_mut(BLOCK * actions)).zip(values.chunks_mut(BLOCK));
        for ((lanes, logits), values) in blocks {
            if !many(lanes.len()) {
                scratch.inputs.clear();
                for &lane in lanes {
                    scratch.inputs.push_cells(self.seen(&contiguous(rows.row(lane))), &self.scale);
                    scratch.inputs.end();
                }
            } else {
                scratch.rows.clear(self.scale.len());
                lanes.iter().for_each(|&lane| scratch.rows.push(&[self.seen(&contiguous(rows.row(lane)))]));
            }
            self.hidden(lanes.len(), scratch);
            let rows = lanes.iter().zip(logits.chunks_exact_mut(actions)).zip(values);
            for (row, ((&lane, logits), value)) in rows.enumerate() {
                *value = self.heads(row, &contiguous(legal.row(lane)), scratch, logits);
            }
        }
    }

    /// Takes `rows` rows through the hidden layers; leaves `[rows, width]` in `scratch.outputs`. The inputs are in lists, or,
    /// if there are many, in `scratch.rows`.
    fn hidden(&self, rows: usize, scratch: &mut Scratch) {
        let Scratch { inputs, rows: block, turned, cells: cells_room, outputs, before, room, .. } = scratch;
        let mut inner = 0;
        for Layer { weight, bias } in &self.trunk {
            let stride = bias.len();
            std::mem::swap(outputs, before);
            outputs.resize(rows * stride, 0.0);
            match (inner, many(rows)) {
                (0, true) => {
                    turned.turn(block);
                    let scale = Scale::Terms(&self.scale);
                    cells::<Twice>(turned, scale, weight, Some(bias), stride, cells_room, outputs);
                }
                (0, false) => sparse(inputs, weight, Some(bias), stride, outputs),
                (_, true) => {
                    let left = Left { numbers: before, stride: inner, turned: false };
                    dense::<Twice>(left, rows, weight, Some(bias), stride, room, outputs);
                }
                (_, false) => {
                    inputs.clear();
                    for row in before.chunks_exact(inner) {
                        inputs.push_positive(row);
                        inputs.end();
                    }
                    sparse(inputs, weight, Some(bias), stride, outputs);
                }
            }
            relu(outputs);
            inner = stride;
        }
    }

    /// The legal logits and the value of a row that went through the hidden layers.
    fn heads(&self, row: usize, legal: &[u64], scratch: &mut Scratch, logits: &mut [f32]) -> f32 {
        let Scratch { outputs, asked, given, .. } = scratch;
        logits.fill(f32::NEG_INFINITY);
        asked.clear();
        asked.extend(mask::actions(legal).map(|action| action.0));
        asked.push(self.weights.policy.outputs as u16);
        dots(asked, &self.heads, &self.biases, &outputs[row * self.width..][..self.width], given);
        asked
            .iter()
            .zip(&*given)
            .take(asked.len() - 1)
            .for_each(|(&at, &logit)| logits[usize::from(at)] = logit);
        given.last().copied().unwrap_or_default()
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
