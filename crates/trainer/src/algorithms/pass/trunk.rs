//! Hidden layers on the cores. The first layer's inputs are nine tenths zeros: it is computed from the cells that are set,
//! forward and on the way back.

use super::Network;
use cardsharp_bot::arithmetic::{
    Cells, CellsRoom, Left, Once, Scale, cells, column_sums, dense, padded, relu, stride, through_relu, turn,
};

/// The hidden layers of a network on their way through a shard; its numbers are used again.
#[derive(Default)]
pub(super) struct Trunk {
    /// The output of each layer, `[rows, stride]`.
    layers: Vec<Vec<f32>>,
    /// The gradient at a layer's output, and at the one before.
    at: Vec<f32>,
    before: Vec<f32>,
    /// A layer's weights with rows and columns exchanged, or their gradient.
    weights: Vec<f32>,
    turned: Cells,
    cells_room: CellsRoom,
    room: Vec<f32>,
}

impl Trunk {
    /// The output of the last hidden layer, `[rows, stride]`.
    pub(super) fn forward(
        &mut self,
        Network { shape, weights }: Network<'_>,
        inputs: &Cells,
        scale: &[f32],
    ) -> &[f32] {
        let Self { layers, turned, cells_room, room, .. } = self;
        layers.resize_with(shape.hidden.len(), Vec::new);
        for (number, (rows, columns, of_weights, of_biases)) in shape.trunk().enumerate() {
            let stride = stride(columns);
            let of = padded(&weights[of_weights], columns);
            let bias = padded(&weights[of_biases], columns);
            let (before, after) = layers.split_at_mut(number);
            let to = &mut after[0];
            to.resize(inputs.rows() * stride, 0.0);
            match before.last() {
                None => {
                    turned.turn(inputs);
                    cells::<Once>(turned, Scale::Terms(scale), &of, Some(&bias), stride, cells_room, to);
                }
                Some(before) => {
                    let left = Left { numbers: before, stride: self::stride(rows), turned: false };
                    dense::<Once>(left, inputs.rows(), &of, Some(&bias), stride, room, to);
                }
            }
            relu(to);
        }
        self.layers.last().map_or(&[], Vec::as_slice)
    }

    /// Writes the gradient of the hidden layers to its place in the flat gradient, given that of what [`Trunk::forward`] gave.
    pub(super) fn backward(
        &mut self,
        Network { shape, weights }: Network<'_>,
        inputs: &Cells,
        scale: &[f32],
        at_features: &[f32],
        gradient: &mut [f32],
    ) {
        let Self { layers, at, before, weights: other, cells_room, room, .. } = self;
        at.clear();
        at.extend_from_slice(at_features);
        let numbers: Vec<_> = shape.trunk().collect();
        for (number, (rows, columns, of_weights, of_biases)) in numbers.into_iter().enumerate().rev() {
            let (step, step_before) = (stride(columns), stride(rows));
            through_relu(at, &layers[number]);
            room.resize(room.len().max(step), 0.0);
            column_sums(at, &mut room[..step]);
            gradient[of_biases].copy_from_slice(&room[..columns]);
            let into = &mut gradient[of_weights.clone()];
            other.resize(other.len().max(rows * step).max(columns * step_before), 0.0);
            let direct = columns == step;
            let at_weights = if direct { &mut *into } else { &mut other[..rows * step] };
            match number.checked_sub(1) {
                None => {
                    cells::<Once>(inputs, Scale::Rows(scale), at, None, step, cells_room, at_weights);
                }
                Some(number) => {
                    let left = Left { numbers: &layers[number], stride: step_before, turned: true };
                    dense::<Once>(left, rows, at, None, step, room, at_weights);
                }
            }
            if !direct {
                let lines = other[..rows * step].chunks_exact(step);
                into.chunks_exact_mut(columns)
                    .zip(lines)
                    .for_each(|(to, line)| to.copy_from_slice(&line[..columns]));
            }
            if number > 0 {
                let of = &mut other[..columns * step_before];
                of.fill(0.0);
                turn(&weights[of_weights], columns, columns, of, step_before);
                before.resize(inputs.rows() * step_before, 0.0);
                let left = Left { numbers: at, stride: step, turned: false };
                dense::<Once>(left, inputs.rows(), of, None, step_before, room, before);
                std::mem::swap(at, before);
            }
        }
    }
}
