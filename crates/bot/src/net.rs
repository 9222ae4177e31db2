//! Networks in plain Rust: the stored form of the weights, and inference that is fast enough for the actors of
//! training.
//!
//! An observation row is mostly zeros, and after a ReLU about half of the activations are zero as well. For a few rows,
//! every layer therefore reads lists of nonzero inputs. Many rows go through the first layer in groups of six, and
//! through the other layers as dense products. Only legal actions get a logit.
//!
//! Every output of a hidden layer is `bias + x₀w₀ + x₁w₁ + …` in ascending order, with one rounding per multiplication
//! and one per addition ([`arithmetic`](crate::arithmetic)). This order depends neither on the batch size nor on the
//! width of the CPU's registers. So a row gives the same bits alone, in any batch and on any CPU.

mod weights;

use std::borrow::Cow;

use cardsharp_env::mask;
use ndarray::{Array2, ArrayView1, ArrayView2};

use crate::arithmetic::{
    Cells, CellsWorkspace, Left, Lists, Scale, Twice, cells, dense, dots, padded, relu, sparse, stride, tanh,
    turn,
};

pub use weights::{Activation, Dense, ShapeError, Weights};

/// Rows that go through a layer together. The lists and activations of 32 rows fit the second-level cache.
const BLOCK: usize = 32;

/// Returns whether dense products are faster than lists for this number of rows. WebAssembly always uses lists: it
/// evaluates few rows, and its engine has to be small.
fn many(rows: usize) -> bool {
    !cfg!(target_family = "wasm") && rows >= 6
}

/// A network that is ready to play: its [`Weights`], reached by dereferencing and immutable, and copies of them in the
/// layout that inference reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    weights: Weights,
    activation: Activation,
    trunk: Vec<Layer>,
    /// `[actions + 1, width]`: one row of weights for each action, padded with zeros, and then the row of the value.
    heads: Vec<f32>,
    /// `[actions + 1]`: the biases of the actions, then that of the value.
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

/// Buffers that inference reuses between calls. Their content never influences a result.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The nonzero inputs of a layer, for a few rows.
    inputs: Lists,
    /// Many observation rows, and their transpose.
    rows: Cells,
    turned: Cells,
    cells: CellsWorkspace,
    /// Outputs of the last computed layer, `[rows, padded outputs]`.
    outputs: Vec<f32>,
    /// Outputs of the layer before.
    before: Vec<f32>,
    room: Vec<f32>,
    /// The heads' outputs that are requested, and their results.
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
    /// Creates a network from weights, with a ReLU after each hidden layer.
    ///
    /// # Errors
    /// The layer with a wrong shape, and how it is wrong.
    pub fn new(weights: Weights) -> Result<Self, ShapeError> {
        Self::with_activation(weights, Activation::Relu)
    }

    /// Creates a network from weights.
    ///
    /// # Errors
    /// As [`Net::new`].
    pub fn with_activation(weights: Weights, activation: Activation) -> Result<Self, ShapeError> {
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
        Ok(Self { weights, activation, trunk, heads, biases, width })
    }

    /// Returns the function after each hidden layer.
    pub fn activation(&self) -> Activation {
        self.activation
    }

    /// Returns the same network for longer rows, with a scale for every cell. The weights of the new cells are 0, so
    /// they count only after training.
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
        Self::with_activation(weights, self.activation)
    }

    /// Returns the first cells of a row, which the network reads. Rows of a later version of the encoding may have
    /// more.
    fn seen<'r>(&self, row: &'r [u8]) -> &'r [u8] {
        &row[..self.scale.len()]
    }

    /// Evaluates the observation row `row` (`[cells]`) and returns its value. Writes the logits of the actions in
    /// `legal` to `logits` (`[actions]`), and minus infinity elsewhere. A longer row is allowed; the network reads its
    /// first cells.
    ///
    /// # Panics
    /// If the row has fewer cells than the network, or if `logits` has another length than the actions.
    pub fn forward(&self, row: &[u8], legal: &[u64], scratch: &mut Scratch, logits: &mut [f32]) -> f32 {
        assert_eq!(logits.len(), self.weights.policy.outputs);
        let row = self.seen(row);
        scratch.inputs.clear();
        scratch.inputs.push_cells(row, &self.scale);
        scratch.inputs.end();
        self.hidden(1, scratch);
        self.heads(0, legal, scratch, logits)
    }

    /// [`Net::forward`] for every row of `rows` (`[rows, cells]`) and `legal` (`[rows, words]`). `logits` is
    /// `[rows, actions]`, and `values` is `[rows]`. Each row gets the same bits as from `forward`.
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

    /// [`Net::forward_batch`] for chosen rows: the result for row `lanes[k]` goes to row `k` of `logits` and `values`,
    /// which may be longer than `lanes`.
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

    /// Runs `rows` rows through the hidden layers, and leaves `[rows, width]` in `scratch.outputs`. The inputs are in
    /// `scratch.inputs`, or in `scratch.rows` if there are [`many`].
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
                        match self.activation {
                            Activation::Relu => inputs.push_positive(row),
                            Activation::Tanh => inputs.push_nonzero(row),
                        }
                        inputs.end();
                    }
                    sparse(inputs, weight, Some(bias), stride, outputs);
                }
            }
            match self.activation {
                Activation::Relu => relu(outputs),
                Activation::Tanh => tanh(outputs),
            }
            inner = stride;
        }
    }

    /// Writes the legal logits of a row that went through the hidden layers, and returns its value.
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

/// Returns the elements of a row, copied only if they are not contiguous in memory.
pub(crate) fn contiguous<T: Copy>(row: ArrayView1<'_, T>) -> Cow<'_, [T]> {
    match row.to_slice() {
        Some(slice) => Cow::Borrowed(slice),
        None => Cow::Owned(row.to_vec()),
    }
}

#[cfg(test)]
mod tests;
