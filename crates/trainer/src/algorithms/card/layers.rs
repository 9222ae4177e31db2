//! A network as burn sees it.

use burn::tensor::{Tensor, activation};

use crate::net::Shape;

/// A network's numbers as tensors: weights, `[inputs, outputs]`, and biases, `[1, outputs]`, of each layer.
pub(super) struct Layers {
    layers: Vec<(Tensor<2>, Tensor<2>)>,
    hidden: usize,
}

impl Layers {
    /// Cuts them out of all of them, flat, `[shape.len()]`.
    pub(super) fn new(shape: &Shape, flat: &Tensor<1>) -> Self {
        let layers = shape.layers().zip(shape.ranges()).map(|((inputs, outputs), (weights, biases))| {
            let cut = |range: std::ops::Range<usize>| flat.clone().slice([range]);
            (cut(weights).reshape([inputs, outputs]), cut(biases).reshape([1, outputs]))
        });
        Self { layers: layers.collect(), hidden: shape.hidden.len() }
    }

    /// The output of every head, `[rows, outputs]` each, for `inputs` of shape `[rows, inputs]`.
    pub(super) fn forward(&self, inputs: Tensor<2>) -> Vec<Tensor<2>> {
        let affine = |rows: Tensor<2>, (weights, biases): &(Tensor<2>, Tensor<2>)| {
            rows.matmul(weights.clone()) + biases.clone()
        };
        let (hidden, heads) = self.layers.split_at(self.hidden);
        let last = hidden.iter().fold(inputs, |rows, layer| activation::relu(affine(rows, layer)));
        heads.iter().map(|head| affine(last.clone(), head)).collect()
    }
}

/// The numbers of a tensor of floats, row by row.
pub(super) fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    let data = tensor.into_data();
    match data.as_slice::<f32>() {
        Ok(numbers) => numbers.to_vec(),
        Err(_) => data.iter::<f32>().collect(),
    }
}
