//! The network that learns.

use std::ops::Range;
use std::sync::Arc;

use burn::module::{Module, Param};
use burn::tensor::{Device, Gradients, Tensor, TensorData, activation};
use cardsharp_bot::arithmetic::turn;

use super::inputs::Inputs;
use super::ops::{self, RequestedOutputs};
use super::pool;
use crate::net::Shape;

/// An affine layer of a network.
#[derive(Module, Debug)]
pub struct Layer {
    weight: Param<Tensor<2>>,
    bias: Param<Tensor<1>>,
}

/// Hidden layers with a ReLU after each, then heads side by side.
#[derive(Module, Debug)]
pub struct Net {
    /// Weights have the shape `[inputs, outputs]`.
    hidden: Vec<Layer>,
    /// Weights of all heads have the shape `[outputs, inputs]`: the weights of an output are adjacent.
    heads: Layer,
}

impl Layer {
    fn new(weight: Tensor<2>, bias: Tensor<1>) -> Self {
        Self { weight: Param::from_tensor(weight), bias: Param::from_tensor(bias) }
    }

    /// Returns the same numbers as new leaves of a graph.
    fn leaves(&self) -> Self {
        Self::new(self.weight.val().autodiff(), self.bias.val().autodiff())
    }

    /// Removes the gradients of weights and biases from `gradients`; 0 where the loss does not depend on them.
    fn gradient(&self, gradients: &mut Gradients) -> (Tensor<2>, Tensor<1>) {
        let (weight, bias) = (self.weight.val(), self.bias.val());
        let (at_weight, at_bias) = (weight.grad_remove(gradients), bias.grad_remove(gradients));
        (
            at_weight.unwrap_or_else(|| weight.inner().zeros_like()),
            at_bias.unwrap_or_else(|| bias.inner().zeros_like()),
        )
    }

    /// Returns `rows × weight + bias` by burn's own operations, `[groups, rows of a group, outputs]`, for weights of
    /// shape `[inputs, outputs]`. The biases are a product, too, so that burn sums their gradients as it does those of
    /// weights.
    fn affine(rows: Tensor<3>, weight: Tensor<2>, bias: Tensor<1>) -> Tensor<3> {
        let [groups, each, _] = rows.dims();
        let ones = Tensor::<3>::ones([groups, each, 1], &rows.device());
        rows.matmul(weight.unsqueeze()) + ones.matmul(bias.unsqueeze())
    }
}

/// The outputs of a network's heads.
pub(crate) struct HeadOutputs {
    /// For [`Inputs::Cells`] the outputs in `requested`, for [`Inputs::Numbers`] all outputs of the first head, row by row.
    pub(crate) actions: Tensor<1>,
    /// The outputs of the head of values, if it was asked for, `[rows]`.
    pub(crate) value: Option<Tensor<1>>,
}

impl Net {
    /// Creates the network from flat weights, in the order of [`crate::learner::NetState::weights`].
    pub(crate) fn new(shape: &Shape, flat: &Tensor<1>) -> Self {
        let cut = |range: Range<usize>| flat.clone().slice([range]);
        let heads =
            shape.heads.iter().enumerate().map(|(head, &outputs)| {
                cut(shape.head(head).0).reshape([shape.width(), outputs]).transpose()
            });
        Self::with_heads(shape, flat, Tensor::cat(heads.collect(), 0))
    }

    /// As [`Net::new`], with the heads' weights in the form of [`Net::heads`].
    fn with_heads(shape: &Shape, flat: &Tensor<1>, heads: Tensor<2>) -> Self {
        let cut = |range: Range<usize>| flat.clone().slice([range]);
        let layer =
            |(inputs, outputs, weight, bias)| Layer::new(cut(weight).reshape([inputs, outputs]), cut(bias));
        let biases = (0..shape.heads.len()).map(|head| cut(shape.head(head).1)).collect();
        let heads = Layer::new(heads, Tensor::cat(biases, 0));
        Self { hidden: shape.trunk().map(layer).collect(), heads }
    }

    /// Returns the same numbers as new leaves with their own graph, so that no thread waits for another's graph.
    pub(crate) fn leaves(&self) -> Self {
        Self { hidden: self.hidden.iter().map(Layer::leaves).collect(), heads: self.heads.leaves() }
    }

    /// Every layer with its weights and biases, the heads last.
    fn values(&self) -> (impl Iterator<Item = (Tensor<2>, Tensor<1>)>, (Tensor<2>, Tensor<1>)) {
        let of = |layer: &Layer| (layer.weight.val(), layer.bias.val());
        (self.hidden.iter().map(of), of(&self.heads))
    }

    /// The outputs that are asked for, and the output `value` of every row.
    pub(crate) fn outputs(
        &self,
        inputs: &Inputs,
        requested: &Arc<RequestedOutputs>,
        value: Option<u16>,
    ) -> HeadOutputs {
        let (mut hidden, (weight, bias)) = self.values();
        match inputs {
            Inputs::Cells(rows) => {
                let (of_first, bias_of_first) = hidden.next().expect("a network has a hidden layer");
                let first = ops::sparse_relu(of_first, bias_of_first, rows);
                let features = hidden.fold(first, |rows, (weight, bias)| ops::dense_relu(rows, weight, bias));
                let (actions, value) = ops::heads(features, weight, bias, requested, value);
                HeadOutputs { actions, value }
            }
            Inputs::Numbers(rows, count) => {
                let layer = |rows, (weight, bias)| activation::relu(Layer::affine(rows, weight, bias));
                let features = hidden.fold(Tensor::clone(rows), layer);
                let all = Layer::affine(features, weight.transpose(), bias).flatten::<2>(0, 1);
                let all = all.narrow(0, 0, *count);
                let actions = value.map_or(all.dims()[1], usize::from);
                HeadOutputs {
                    value: value.map(|value| all.clone().narrow(1, value.into(), 1).flatten(0, 1)),
                    actions: if actions > 0 {
                        all.narrow(1, 0, actions).flatten(0, 1)
                    } else {
                        all.flatten(0, 1)
                    },
                }
            }
        }
    }

    /// The outputs of a network whose only head is that of values, `[rows]`.
    pub(crate) fn value(&self, inputs: &Inputs) -> Tensor<1> {
        let requested = match inputs {
            Inputs::Cells(rows) => RequestedOutputs::none(rows.rows.rows()),
            Inputs::Numbers(..) => RequestedOutputs::default(),
        };
        let HeadOutputs { actions, value } = self.outputs(inputs, &Arc::new(requested), Some(0));
        value.unwrap_or(actions)
    }

    /// The gradient of all numbers in the order of flat weights, in parts that follow each other.
    pub(crate) fn gradient(&self, shape: &Shape, gradients: &mut Gradients) -> Vec<Tensor<1>> {
        let mut parts = Vec::new();
        for layer in &self.hidden {
            let (weight, bias) = layer.gradient(gradients);
            parts.extend([weight.flatten(0, 1), bias]);
        }
        let (weight, bias) = self.heads.gradient(gradients);
        let mut first = 0;
        for &outputs in &shape.heads {
            parts.push(weight.clone().narrow(0, first, outputs).transpose().flatten(0, 1));
            parts.push(bias.clone().narrow(0, first, outputs));
            first += outputs;
        }
        parts
    }

    /// Writes the gradient of all numbers from the CPU, in the order of flat weights.
    pub(crate) fn write_gradient(&self, shape: &Shape, gradients: &mut Gradients, to: &mut [f32]) {
        for (layer, (_, _, of_weight, of_bias)) in self.hidden.iter().zip(shape.trunk()) {
            let (weight, bias) = layer.gradient(gradients);
            let (weight, bias) = (numbers(weight), numbers(bias));
            to[of_weight].copy_from_slice(&weight);
            to[of_bias].copy_from_slice(&bias);
            pool::give(weight);
        }
        let (weight, bias) = self.heads.gradient(gradients);
        let (weight, bias, mut first) = (numbers(weight), numbers(bias), 0);
        for (head, &outputs) in shape.heads.iter().enumerate() {
            let ((of_weight, of_bias), width) = (shape.head(head), shape.width());
            turn(&weight[first * width..][..outputs * width], width, width, &mut to[of_weight], outputs);
            to[of_bias].copy_from_slice(&bias[first..][..outputs]);
            first += outputs;
        }
        pool::give(weight);
    }
}

/// A network on the CPU whose numbers are in memory of the pool.
pub(crate) struct CpuNet {
    pub(crate) net: Net,
    flat: Tensor<1>,
    heads: Tensor<2>,
}

impl CpuNet {
    pub(crate) fn new(shape: &Shape, weights: &[f32]) -> Self {
        let (mut all, width) = (pool::take(weights.len()), shape.width());
        all.copy_from_slice(weights);
        let outputs = shape.heads.iter().sum();
        let (mut heads, mut first) = (pool::take(outputs * width), 0);
        for (head, &own) in shape.heads.iter().enumerate() {
            turn(&weights[shape.head(head).0], own, own, &mut heads[first * width..], width);
            first += own;
        }
        let device = Device::flex();
        let flat = Tensor::from_data(TensorData::new(all, [weights.len()]), &device);
        let heads = Tensor::from_data(TensorData::new(heads, [outputs, width]), &device);
        Self { net: Net::with_heads(shape, &flat, heads.clone()), flat, heads }
    }

    /// Returns the memory to the pool if nothing refers to it.
    pub(crate) fn recycle(self) {
        drop(self.net);
        pool::give(numbers(self.flat));
        pool::give(numbers(self.heads));
    }
}

/// The numbers of a tensor of floats, row by row.
pub(crate) fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_into_vec_as().expect("floats become 32-bit floats")
}
