//! The trainer's kernels as operations of burn.
//!
//! Each operation has a forward pass on the CPU (`flex.rs`) and a backward pass (`backward.rs`), which burn's autodiff
//! calls. They use the products of [`cardsharp_bot::arithmetic`] and `libm`, so results have the same bits on every
//! processor. Burn's own `exp`, `log`, softmax and matrix product do not.

mod backward;
mod flex;

use std::sync::Arc;

use burn::backend::tensor::FloatTensor;
use burn::backend::{Backend, Dispatch, backend_extension};
use burn::tensor::{Device, Tensor};
use cardsharp_bot::arithmetic::Cells;

/// Rows of cells for the CPU, both ways round.
#[derive(Clone, Debug, Default)]
pub struct CellRows {
    /// `[rows, cells]`.
    pub(crate) rows: Cells,
    /// `[cells, rows]`.
    pub(crate) turned: Cells,
    /// The factor of each cell, `[cells]`.
    pub(crate) scale: Vec<f32>,
}

/// Numbers in groups: a group is a run of consecutive numbers or, with `at`, of the numbers at these places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groups {
    /// Places, group by group; none for groups that follow each other without gaps.
    pub at: Option<Vec<u32>>,
    /// The end of each group in `at`, or in the numbers themselves.
    pub ends: Vec<u32>,
}

impl Groups {
    /// Start and end of each group.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let mut start = 0;
        self.ends.iter().map(move |&end| std::mem::replace(&mut start, end as usize)..end as usize)
    }
}

/// The outputs of a network's heads that a loss needs, for each decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RequestedOutputs {
    /// Outputs, decision by decision.
    pub(crate) outputs: Vec<u16>,
    /// The group of each decision.
    pub(crate) rows: Arc<Groups>,
}

impl RequestedOutputs {
    /// No outputs for any of `rows` rows.
    pub(crate) fn none(rows: usize) -> Self {
        Self { outputs: Vec::new(), rows: Arc::new(Groups { at: None, ends: vec![0; rows] }) }
    }
}

#[backend_extension(Autodiff, Flex)]
pub(crate) trait Kernels: Backend {
    /// First layer: `relu(cells × weight + bias)` for rows of cells that are mostly 0.
    fn sparse_relu(
        weight: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        rows: Arc<CellRows>,
    ) -> FloatTensor<Self>;

    /// Hidden layer: `relu(rows × weight + bias)`.
    fn dense_relu(
        rows: FloatTensor<Self>,
        weight: FloatTensor<Self>,
        bias: FloatTensor<Self>,
    ) -> FloatTensor<Self>;

    /// `weight[output] · features[row] + bias[output]`: first for the outputs in `requested`, then for the output `value`
    /// of every row.
    fn heads(
        features: FloatTensor<Self>,
        weight: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        requested: Arc<RequestedOutputs>,
        value: Option<u16>,
    ) -> FloatTensor<Self>;

    /// The log-softmax within each group. The groups follow each other without gaps.
    fn log_softmax(numbers: FloatTensor<Self>, groups: Arc<Groups>) -> FloatTensor<Self>;

    /// The sum of each group.
    fn sums(numbers: FloatTensor<Self>, groups: Arc<Groups>) -> FloatTensor<Self>;

    /// The exponential of each number.
    fn libm_exp(numbers: FloatTensor<Self>) -> FloatTensor<Self>;

    /// The natural logarithm of each number.
    fn libm_ln(numbers: FloatTensor<Self>) -> FloatTensor<Self>;
}

/// [`Kernels::sparse_relu`], `[rows, outputs]` for weights of shape `[cells, outputs]`.
pub(crate) fn sparse_relu(weight: Tensor<2>, bias: Tensor<1>, rows: &Arc<CellRows>) -> Tensor<2> {
    let output = Dispatch::sparse_relu(weight.into_dispatch(), bias.into_dispatch(), Arc::clone(rows));
    Tensor::from_dispatch(output)
}

/// [`Kernels::dense_relu`], `[rows, outputs]` for weights of shape `[inputs, outputs]`.
pub(crate) fn dense_relu(rows: Tensor<2>, weight: Tensor<2>, bias: Tensor<1>) -> Tensor<2> {
    let output = Dispatch::dense_relu(rows.into_dispatch(), weight.into_dispatch(), bias.into_dispatch());
    Tensor::from_dispatch(output)
}

/// [`Kernels::heads`]: the outputs that are asked for and the values, for weights of shape `[outputs, inputs]`.
pub(crate) fn heads(
    features: Tensor<2>,
    weight: Tensor<2>,
    bias: Tensor<1>,
    requested: &Arc<RequestedOutputs>,
    value: Option<u16>,
) -> (Tensor<1>, Option<Tensor<1>>) {
    let rows = features.dims()[0];
    let (weight, bias) = (weight.into_dispatch(), bias.into_dispatch());
    let all = Dispatch::heads(features.into_dispatch(), weight, bias, Arc::clone(requested), value);
    let all = Tensor::<1>::from_dispatch(all);
    let count = requested.outputs.len();
    match value {
        None => (all, None),
        // Autodiff cannot slice an empty tensor off.
        Some(_) if count == 0 => (all.clone(), Some(all)),
        Some(_) => (all.clone().narrow(0, 0, count), Some(all.narrow(0, count, rows))),
    }
}

/// Computes [`Kernels::log_softmax`] with its gradient.
pub(crate) fn log_softmax(numbers: Tensor<1>, groups: &Arc<Groups>) -> Tensor<1> {
    Tensor::from_dispatch(Dispatch::log_softmax(numbers.into_dispatch(), Arc::clone(groups)))
}

/// Computes [`Kernels::sums`] with its gradient.
pub(crate) fn sums(numbers: Tensor<1>, groups: &Arc<Groups>) -> Tensor<1> {
    Tensor::from_dispatch(Dispatch::sums(numbers.into_dispatch(), Arc::clone(groups)))
}

/// Whether the operations above exist for the device of a tensor: only on the CPU. On a GPU burn's own operations are
/// used.
pub(crate) fn on_cpu<const D: usize>(tensor: &Tensor<D>) -> bool {
    tensor.device() == Device::flex()
}

/// The exponential of each number; on the CPU with the same bits on every processor.
pub fn exp<const D: usize>(numbers: Tensor<D>) -> Tensor<D> {
    match on_cpu(&numbers) {
        true => Tensor::from_dispatch(Dispatch::libm_exp(numbers.into_dispatch())),
        false => numbers.exp(),
    }
}

/// The natural logarithm of each number; on the CPU with the same bits on every processor.
pub fn ln<const D: usize>(numbers: Tensor<D>) -> Tensor<D> {
    match on_cpu(&numbers) {
        true => Tensor::from_dispatch(Dispatch::libm_ln(numbers.into_dispatch())),
        false => numbers.log(),
    }
}

#[cfg(test)]
mod tests;
