//! A network as burn sees it.

use burn::tensor::{Gradients, Tensor, activation};

use crate::net::Shape;

/// Rows are multiplied in so many groups, side by side: the gradient of a layer is a sum over rows, and one sum after the other
/// would leave most of a card idle.
const GROUPS: usize = 32;

/// So many rows a network is shown for `rows`: rows of 0 follow, an eighth more at most where there are hundreds. Minibatches of nearly
/// the same size then have one shape, so that kernels need not be compiled and described anew for each, and groups come out even.
fn seen(rows: usize) -> usize {
    let eighth = (rows / 8 + 1).next_power_of_two() / 2;
    rows.next_multiple_of(eighth.max(GROUPS))
}

/// Rows that are added up one after the other.
const CHAIN: usize = 64;

/// A network's numbers as tensors: weights, `[1, inputs, outputs]`, and biases, `[1, 1, outputs]` or for every row, of each layer.
pub(super) struct Layers {
    layers: Vec<(Tensor<3>, Tensor<3>)>,
    hidden: usize,
}

impl Layers {
    /// Cuts them out of all of them, flat, `[shape.len()]`.
    pub(super) fn new(shape: &Shape, flat: &Tensor<1>) -> Self {
        let layers = shape.layers().zip(shape.ranges()).map(|((inputs, outputs), (weights, biases))| {
            let cut = |range: std::ops::Range<usize>| flat.clone().slice([range]);
            (cut(weights).reshape([1, inputs, outputs]), cut(biases).reshape([1, 1, outputs]))
        });
        Self { layers: layers.collect(), hidden: shape.hidden.len() }
    }

    /// The same numbers, as what the loss of so many rows is differentiated by. Every row has biases of its own, so that their
    /// gradients are added up here.
    pub(super) fn tracked(self, rows: usize) -> Self {
        let track = |numbers: Tensor<3>| numbers.autodiff().require_grad();
        let each = seen(rows) / GROUPS;
        let layers = self.layers.into_iter().map(|(weights, biases)| {
            let outputs = biases.dims()[2];
            (track(weights), track(biases.expand([GROUPS, each, outputs])))
        });
        Self { layers: layers.collect(), ..self }
    }

    /// The gradient at all of them, flat; 0 where the loss does not depend on them.
    pub(super) fn gradient(&self, gradients: &mut Gradients) -> Tensor<1> {
        let mut at = |numbers: &Tensor<3>| match numbers.grad_remove(gradients) {
            Some(gradient) => gradient,
            None => Tensor::zeros(numbers.dims(), &numbers.device()),
        };
        let parts = self.layers.iter().flat_map(|(weights, biases)| {
            let at_weights = at(weights).flatten(0, 2);
            [at_weights, over_rows(at(biases).flatten(0, 1))]
        });
        Tensor::cat(parts.collect(), 0)
    }

    /// The output of every head, `[rows, outputs]` each, for `inputs` of shape `[rows, inputs]`.
    pub(super) fn forward(&self, inputs: Tensor<2>) -> Vec<Tensor<2>> {
        let [rows, cells] = inputs.dims();
        let all = seen(rows);
        let inputs = padded(inputs, all).reshape([GROUPS, all / GROUPS, cells]);
        let affine = |rows: Tensor<3>, (weights, biases): &(Tensor<3>, Tensor<3>)| {
            rows.matmul(weights.clone()) + biases.clone()
        };
        let (hidden, heads) = self.layers.split_at(self.hidden);
        let last = hidden.iter().fold(inputs, |rows, layer| activation::relu(affine(rows, layer)));
        let head = |head| affine(last.clone(), head).flatten::<2>(0, 1).narrow(0, 0, rows);
        heads.iter().map(head).collect()
    }
}

/// Rows with rows of 0 behind them, so many in all.
fn padded(tensor: Tensor<2>, all: usize) -> Tensor<2> {
    let [rows, columns] = tensor.dims();
    if rows == all {
        return tensor;
    }
    let more = Tensor::zeros([all - rows, columns], &tensor.device());
    Tensor::cat(vec![tensor, more], 0)
}

/// The sum over all rows, `[columns]`. Burn's own sum of everything takes its terms in any order where a card can, and those over rows
/// by one thread a column.
pub(super) fn over_rows(tensor: Tensor<2>) -> Tensor<1> {
    let [rows, columns] = tensor.dims();
    // Rows of 0 once, so that two rounds of chains come out even.
    let even = [CHAIN * CHAIN, CHAIN].into_iter().find(|&even| rows > even).unwrap_or(1);
    let mut tensor = padded(tensor, rows.next_multiple_of(even));
    while tensor.dims()[0] > 1 {
        let rows = tensor.dims()[0];
        let chain = if rows.is_multiple_of(CHAIN) { CHAIN } else { rows };
        tensor = tensor.reshape([chain, rows / chain * columns]).sum_dim(0).reshape([rows / chain, columns]);
    }
    tensor.flatten(0, 1)
}

/// The numbers of a tensor of floats, row by row.
pub(super) fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    let data = tensor.into_data();
    match data.as_slice::<f32>() {
        Ok(numbers) => numbers.to_vec(),
        Err(_) => data.iter::<f32>().collect(),
    }
}
