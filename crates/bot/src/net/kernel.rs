//! The arithmetic: lists of nonzero inputs, and layers that walk them tile by tile.

use super::Dense;

/// Half of the outputs of a tile. The compiler keeps an array of 16 sums in registers and puts a longer
/// one into memory, three times as slow; one such array alone would wait for its own additions.
const HALF: usize = 16;

/// Outputs of a tile.
pub(super) const LANES: usize = 2 * HALF;

/// Room that inference reuses between calls. Its content never influences a result.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The nonzero inputs of one row after the other.
    pub(super) inputs: Vec<Input>,
    /// Where each row's inputs end.
    pub(super) ends: Vec<usize>,
    /// Outputs of the layer done last, `[rows, padded outputs]`.
    pub(super) outputs: Vec<f32>,
}

impl Scratch {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.inputs.clear();
        self.ends.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, row: &[u8], scale: &[f32]) {
        let cells = row.iter().zip(scale);
        append(
            &mut self.inputs,
            row.len(),
            cells.map(|(&cell, &scale)| (f32::from(cell) * scale, cell != 0)),
        );
        self.ends.push(self.inputs.len());
    }
}

/// A nonzero input of a layer.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Input {
    /// Which input.
    at: u32,
    /// Its value.
    value: f32,
}

/// Appends the positive activations of a layer: after a ReLU the others are 0.
#[inline]
pub(super) fn push_activations(row: &[f32], inputs: &mut Vec<Input>) {
    append(inputs, row.len(), row.iter().map(|&value| (value, value > 0.0)));
}

/// Appends the values that are kept. Writes all of them and moves on past the kept ones: a branch per
/// cell would be guessed wrong too often.
#[inline]
fn append(inputs: &mut Vec<Input>, most: usize, values: impl Iterator<Item = (f32, bool)>) {
    let start = inputs.len();
    inputs.resize(start + most, Input::default());
    let room = &mut inputs[start..];
    let mut count = 0;
    for (at, (value, keep)) in values.enumerate() {
        room[count] = Input { at: at as u32, value };
        count += usize::from(keep);
    }
    inputs.truncate(start + count);
}

/// One number per output of a tile. Aligned so that no load touches two cache lines.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(align(64))]
struct Line {
    low: [f32; HALF],
    high: [f32; HALF],
}

impl Line {
    fn set(&mut self, lane: usize, value: f32) {
        if lane < HALF { self.low[lane] = value } else { self.high[lane - HALF] = value }
    }

    /// The ReLU of every number.
    #[inline]
    fn write(&self, to: &mut [f32]) {
        let relu = |(to, &from): (&mut f32, &f32)| *to = if from > 0.0 { from } else { 0.0 };
        to[..HALF].iter_mut().zip(&self.low).for_each(relu);
        to[HALF..].iter_mut().zip(&self.high).for_each(relu);
    }
}

/// A hidden layer's numbers in tiles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tiles {
    inputs: usize,
    /// `[tiles, inputs]`, padded with zeros.
    weight: Vec<Line>,
    /// `[tiles]`.
    bias: Vec<Line>,
}

impl Tiles {
    pub(super) fn new(layer: &Dense) -> Self {
        let tiles = layer.outputs.div_ceil(LANES);
        let mut weight = vec![Line::default(); tiles * layer.inputs];
        let mut bias = vec![Line::default(); tiles];
        for output in 0..layer.outputs {
            let (tile, lane) = (output / LANES, output % LANES);
            bias[tile].set(lane, layer.bias[output]);
            for input in 0..layer.inputs {
                weight[tile * layer.inputs + input].set(lane, layer.weight[input * layer.outputs + output]);
            }
        }
        Self { inputs: layer.inputs, weight, bias }
    }

    /// Number of outputs, with padding.
    pub(super) fn outputs(&self) -> usize {
        self.bias.len() * LANES
    }

    /// Writes the layer's outputs after the ReLU, `[rows, outputs]`.
    #[inline]
    pub(super) fn apply(&self, inputs: &[Input], ends: &[usize], outputs: &mut [f32]) {
        let width = self.outputs();
        for (tile, bias) in self.bias.iter().enumerate() {
            let weights = &self.weight[tile * self.inputs..][..self.inputs];
            let mut start = 0;
            for (row, &end) in ends.iter().enumerate() {
                sum(*bias, weights, &inputs[start..end])
                    .write(&mut outputs[row * width + tile * LANES..][..LANES]);
                start = end;
            }
        }
    }
}

/// `bias + Σ value × weights[at]`.
#[inline]
fn sum(bias: Line, weights: &[Line], inputs: &[Input]) -> Line {
    let Line { mut low, mut high } = bias;
    for &Input { at, value } in inputs {
        let weight = &weights[at as usize];
        low.iter_mut().zip(&weight.low).for_each(|(sum, weight)| *sum += value * weight);
        high.iter_mut().zip(&weight.high).for_each(|(sum, weight)| *sum += value * weight);
    }
    Line { low, high }
}

/// The dot product of two padded rows: `LANES` partial sums, then folded in halves.
#[inline]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (mut low, mut high) = ([0.0; HALF], [0.0; HALF]);
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for ((sum, a), b) in low.iter_mut().zip(&a[..HALF]).zip(&b[..HALF]) {
            *sum += a * b;
        }
        for ((sum, a), b) in high.iter_mut().zip(&a[HALF..]).zip(&b[HALF..]) {
            *sum += a * b;
        }
    }
    let mut half = HALF;
    low.iter_mut().zip(high).for_each(|(low, high)| *low += high);
    while half > 1 {
        half /= 2;
        for lane in 0..half {
            low[lane] += low[lane + half];
        }
    }
    low[0]
}
