//! The operations' forward passes on the CPU, and what both passes share.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use burn::backend::Flex;
use burn::backend::tensor::FloatTensor;
use burn::tensor::TensorData;
use cardsharp_bot::arithmetic::{
    CellsWorkspace, Left, Lists, Once, Scale, cells, dense, dots, padded, relu, stride,
};

use super::CellRows;
use super::{Groups, Kernels, RequestedOutputs};
use crate::nn::pool::{self, Pool};

/// A tensor on the CPU.
pub(super) type Numbers = FloatTensor<Flex>;

/// Memory of the operations, for reuse.
#[derive(Default)]
pub(super) struct Workspace {
    pub(super) cells: CellsWorkspace,
    pub(super) lines: Vec<f32>,
    pub(super) lists: Lists,
    pub(super) turned: Lists,
    pub(super) outputs: Vec<u16>,
}

pub(super) static WORKSPACES: Pool<Workspace> = Pool::new();

/// The numbers of a tensor, row by row.
pub(super) fn read(tensor: &Numbers) -> Cow<'_, [f32]> {
    match tensor.as_slice() {
        Some(numbers) => Cow::Borrowed(numbers),
        None => Cow::Owned(into_vec(tensor.to_contiguous())),
    }
}

/// The numbers of a tensor, row by row; not copied if nothing else refers to them.
pub(super) fn into_vec(tensor: Numbers) -> Vec<f32> {
    tensor.into_data().try_into_vec().expect("tensors of the trainer hold 32-bit floats on the CPU")
}

/// A tensor of these numbers.
pub(super) fn tensor<const D: usize>(numbers: Vec<f32>, shape: [usize; D]) -> Numbers {
    Numbers::from_data(TensorData::new(numbers, shape))
}

/// Returns a tensor's memory to the pool if nothing else refers to it.
pub(super) fn recycle(tensor: Numbers) {
    if tensor.is_unique() {
        pool::give(into_vec(tensor));
    }
}

/// Removes the padding between rows of `columns` numbers that start [`stride`] apart.
pub(super) fn packed(mut numbers: Vec<f32>, columns: usize) -> Vec<f32> {
    let apart = stride(columns);
    if apart != columns {
        let rows = numbers.len() / apart.max(1);
        for row in 1..rows {
            numbers.copy_within(row * apart..row * apart + columns, row * columns);
        }
        numbers.truncate(rows * columns);
    }
    numbers
}

impl Kernels for Flex {
    fn sparse_relu(weight: Numbers, bias: Numbers, rows: Arc<CellRows>) -> Numbers {
        let columns = bias.layout().num_elements();
        let (weight, bias) = (read(&weight), read(&bias));
        let (weight, bias) = (padded(&weight, columns), padded(&bias, columns));
        let (count, apart) = (rows.rows.rows(), stride(columns));
        let mut to = pool::take(count * apart);
        let mut workspace = WORKSPACES.take();
        let scale = Scale::Terms(&rows.scale);
        cells::<Once>(&rows.turned, scale, &weight, Some(&bias), apart, &mut workspace.cells, &mut to);
        WORKSPACES.give(workspace);
        relu(&mut to);
        tensor(packed(to, columns), [count, columns])
    }

    fn dense_relu(rows: Numbers, weight: Numbers, bias: Numbers) -> Numbers {
        let columns = bias.layout().num_elements();
        let terms = weight.layout().num_elements() / columns;
        let count = rows.layout().num_elements() / terms;
        let (rows, weight, bias) = (read(&rows), read(&weight), read(&bias));
        let (rows, weight, bias) = (padded(&rows, terms), padded(&weight, columns), padded(&bias, columns));
        let mut to = pool::take(count * stride(columns));
        let mut workspace = WORKSPACES.take();
        let left = Left { numbers: &rows, stride: stride(terms), turned: false };
        dense::<Once>(left, count, &weight, Some(&bias), stride(columns), &mut workspace.lines, &mut to);
        WORKSPACES.give(workspace);
        relu(&mut to);
        tensor(packed(to, columns), [count, columns])
    }

    fn heads(
        features: Numbers,
        weight: Numbers,
        bias: Numbers,
        requested: Arc<RequestedOutputs>,
        value: Option<u16>,
    ) -> Numbers {
        let width = weight.layout().num_elements() / bias.layout().num_elements();
        let (features, weight, bias) = (read(&features), read(&weight), read(&bias));
        let (features, weight) = (padded(&features, width), padded(&weight, width));
        let mut all = Vec::with_capacity(requested.outputs.len() + requested.rows.ends.len());
        let mut values = Vec::with_capacity(requested.rows.ends.len());
        let (mut workspace, mut outputs) = (WORKSPACES.take(), Vec::new());
        for (row, features) in requested.rows.ranges().zip(features.chunks_exact(stride(width))) {
            let chosen = &mut workspace.outputs;
            chosen.clear();
            chosen.extend_from_slice(&requested.outputs[row.clone()]);
            chosen.extend(value);
            dots(chosen, &weight, &bias, features, &mut outputs);
            all.extend_from_slice(&outputs[..row.len()]);
            values.extend_from_slice(&outputs[row.len()..]);
        }
        WORKSPACES.give(workspace);
        all.extend_from_slice(&values);
        let count = all.len();
        tensor(all, [count])
    }

    fn log_softmax(numbers: Numbers, groups: Arc<Groups>) -> Numbers {
        let mut numbers = into_vec(numbers);
        for group in groups.ranges() {
            let group = &mut numbers[group];
            let total = log_sum_exp(group);
            group.iter_mut().for_each(|number| *number -= total);
        }
        let count = numbers.len();
        tensor(numbers, [count])
    }

    fn sums(numbers: Numbers, groups: Arc<Groups>) -> Numbers {
        let numbers = read(&numbers);
        let sum = |group: Range<usize>| match &groups.at {
            None => numbers[group].iter().sum::<f32>(),
            Some(at) => at[group].iter().map(|&place| numbers[place as usize]).sum(),
        };
        let sums: Vec<f32> = groups.ranges().map(sum).collect();
        let count = sums.len();
        tensor(sums, [count])
    }

    fn libm_exp(numbers: Numbers) -> Numbers {
        mapped(numbers, libm::expf)
    }

    fn libm_ln(numbers: Numbers) -> Numbers {
        mapped(numbers, libm::logf)
    }
}

fn mapped(numbers: Numbers, of: impl Fn(f32) -> f32) -> Numbers {
    let shape = numbers.layout().shape().clone();
    let mut numbers = into_vec(numbers);
    numbers.iter_mut().for_each(|number| *number = of(*number));
    Numbers::from_data(TensorData::new(numbers, shape))
}

/// The logarithm of the sum of exponentials.
fn log_sum_exp(numbers: &[f32]) -> f32 {
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    most + libm::logf(numbers.iter().map(|number| libm::expf(number - most)).sum::<f32>())
}
