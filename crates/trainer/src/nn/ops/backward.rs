//! The operations' backward passes.

use std::sync::Arc;

use burn::backend::autodiff::checkpoint::{base::Checkpointer, strategy::CheckpointStrategy};
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind, OpsPrep};
use burn::backend::tensor::FloatTensor;
use burn::backend::{Autodiff, Flex};
use cardsharp_bot::arithmetic::{
    Left, Once, Scale, cells, column_sums, dense, padded, sparse, stride, through_relu, turn,
};

use super::CellRows;
use super::flex::{Numbers, WORKSPACES, into_vec, packed, read, recycle, tensor};
use super::{Groups, Kernels, RequestedOutputs};
use crate::nn::pool;

type Tracked<C> = FloatTensor<Autodiff<Flex, C>>;

/// Finishes an operation whose backward pass needs `state`.
fn finish<O, S, C: CheckpointStrategy, const N: usize>(
    prepared: OpsPrep<O, Flex, S, C, N>,
    state: impl FnOnce(&Numbers) -> S,
    output: Numbers,
) -> Tracked<C>
where
    O: Backward<Flex, N, State = S>,
    S: Clone + Send + std::fmt::Debug + 'static,
{
    match prepared.compute_bound().stateful() {
        OpsKind::Tracked(prepared) => prepared.finish(state(&output), output),
        OpsKind::UnTracked(prepared) => prepared.finish(output),
    }
}

impl<C: CheckpointStrategy> Kernels for Autodiff<Flex, C> {
    fn sparse_relu(weight: Tracked<C>, bias: Tracked<C>, rows: Arc<CellRows>) -> Tracked<C> {
        let ((weight, of_weight), (bias, of_bias)) = (weight.into_parts(), bias.into_parts());
        let output = Flex::sparse_relu(weight, bias, Arc::clone(&rows));
        let state = |output: &Numbers| (rows, output.clone());
        finish(SparseRelu.prepare::<C>([of_weight, of_bias]), state, output)
    }

    fn dense_relu(rows: Tracked<C>, weight: Tracked<C>, bias: Tracked<C>) -> Tracked<C> {
        let ((rows, of_rows), (weight, of_weight)) = (rows.into_parts(), weight.into_parts());
        let (bias, of_bias) = bias.into_parts();
        let output = Flex::dense_relu(rows.clone(), weight.clone(), bias);
        let state = |output: &Numbers| (rows, weight, output.clone());
        finish(DenseRelu.prepare::<C>([of_rows, of_weight, of_bias]), state, output)
    }

    fn heads(
        features: Tracked<C>,
        weight: Tracked<C>,
        bias: Tracked<C>,
        requested: Arc<RequestedOutputs>,
        value: Option<u16>,
    ) -> Tracked<C> {
        let ((features, of_features), (weight, of_weight)) = (features.into_parts(), weight.into_parts());
        let (bias, of_bias) = bias.into_parts();
        let output = Flex::heads(features.clone(), weight.clone(), bias, Arc::clone(&requested), value);
        let state = |_: &Numbers| (features, weight, requested, value);
        finish(Heads.prepare::<C>([of_features, of_weight, of_bias]), state, output)
    }

    fn log_softmax(numbers: Tracked<C>, groups: Arc<Groups>) -> Tracked<C> {
        let (numbers, node) = numbers.into_parts();
        let output = Flex::log_softmax(numbers, Arc::clone(&groups));
        finish(LogSoftmax.prepare::<C>([node]), |output: &Numbers| (output.clone(), groups), output)
    }

    fn sums(numbers: Tracked<C>, groups: Arc<Groups>) -> Tracked<C> {
        let (numbers, node) = numbers.into_parts();
        let count = numbers.layout().num_elements();
        let output = Flex::sums(numbers, Arc::clone(&groups));
        finish(Sums.prepare::<C>([node]), |_: &Numbers| (count, groups), output)
    }

    fn libm_exp(numbers: Tracked<C>) -> Tracked<C> {
        let (numbers, node) = numbers.into_parts();
        finish(Exp.prepare::<C>([node]), Numbers::clone, Flex::libm_exp(numbers))
    }

    fn libm_ln(numbers: Tracked<C>) -> Tracked<C> {
        let (numbers, node) = numbers.into_parts();
        let output = Flex::libm_ln(numbers.clone());
        finish(Ln.prepare::<C>([node]), |_: &Numbers| numbers, output)
    }
}

/// Returns the gradient before a ReLU, with padded rows.
fn before_relu(gradient: Numbers, output: Numbers, columns: usize) -> Vec<f32> {
    let mut gradient = into_vec(gradient);
    through_relu(&mut gradient, &read(&output));
    recycle(output);
    if columns == stride(columns) { gradient } else { padded(&gradient, columns).into_owned() }
}

/// Returns the gradient of biases from that of padded rows.
fn of_bias(gradient: &[f32], columns: usize) -> Numbers {
    let mut sums = vec![0.0; stride(columns)];
    column_sums(gradient, &mut sums);
    sums.truncate(columns);
    tensor(sums, [columns])
}

#[derive(Debug)]
struct SparseRelu;

impl Backward<Flex, 2> for SparseRelu {
    type State = (Arc<CellRows>, Numbers);

    fn backward(self, ops: Ops<Self::State, 2>, gradients: &mut Gradients, _: &mut Checkpointer) {
        let ([weight, bias], (rows, output)) = (ops.parents, ops.state);
        let columns = output.layout().shape()[1];
        let at = before_relu(gradients.consume::<Flex>(&ops.node), output, columns);
        if let Some(node) = bias {
            gradients.register::<Flex>(node.id, of_bias(&at, columns));
        }
        if let Some(node) = weight {
            let (terms, apart) = (rows.scale.len(), stride(columns));
            let (mut to, mut workspace) = (pool::take(terms * apart), WORKSPACES.take());
            let scale = Scale::Rows(&rows.scale);
            cells::<Once>(&rows.rows, scale, &at, None, apart, &mut workspace.cells, &mut to);
            WORKSPACES.give(workspace);
            gradients.register::<Flex>(node.id, tensor(packed(to, columns), [terms, columns]));
        }
        pool::give(at);
    }
}

#[derive(Debug)]
struct DenseRelu;

impl Backward<Flex, 3> for DenseRelu {
    type State = (Numbers, Numbers, Numbers);

    fn backward(self, ops: Ops<Self::State, 3>, gradients: &mut Gradients, _: &mut Checkpointer) {
        let ([of_rows, of_weight, bias], (rows, weight, output)) = (ops.parents, ops.state);
        let [count, columns] = output.layout().shape().dims();
        let terms = rows.layout().shape()[1];
        let (apart, apart_before) = (stride(columns), stride(terms));
        let at = before_relu(gradients.consume::<Flex>(&ops.node), output, columns);
        let mut workspace = WORKSPACES.take();
        if let Some(node) = bias {
            gradients.register::<Flex>(node.id, of_bias(&at, columns));
        }
        if let Some(node) = of_weight {
            let mut to = pool::take(terms * apart);
            let rows = read(&rows);
            let left = Left { numbers: &padded(&rows, terms), stride: apart_before, turned: true };
            dense::<Once>(left, terms, &at, None, apart, &mut workspace.lines, &mut to);
            gradients.register::<Flex>(node.id, tensor(packed(to, columns), [terms, columns]));
        }
        recycle(rows);
        if let Some(node) = of_rows {
            let mut turned = pool::take(columns * apart_before);
            turned.fill(0.0);
            turn(&read(&weight), columns, columns, &mut turned, apart_before);
            let mut to = pool::take(count * apart_before);
            let left = Left { numbers: &at, stride: apart, turned: false };
            dense::<Once>(left, count, &turned, None, apart_before, &mut workspace.lines, &mut to);
            pool::give(turned);
            gradients.register::<Flex>(node.id, tensor(packed(to, terms), [count, terms]));
        }
        WORKSPACES.give(workspace);
        pool::give(at);
    }
}

#[derive(Debug)]
struct Heads;

impl Backward<Flex, 3> for Heads {
    type State = (Numbers, Numbers, Arc<RequestedOutputs>, Option<u16>);

    fn backward(self, ops: Ops<Self::State, 3>, gradients: &mut Gradients, _: &mut Checkpointer) {
        let ([of_features, of_weight, of_bias], (features, weight, requested, value)) =
            (ops.parents, ops.state);
        let [count, width] = features.layout().shape().dims();
        let (outputs, apart) = (weight.layout().shape()[0], stride(width));
        let gradient = gradients.consume::<Flex>(&ops.node);
        let gradient = read(&gradient);
        let (at_requested, at_values) = gradient.split_at(requested.outputs.len());
        let mut workspace = WORKSPACES.take();
        let (lists, turned) = (&mut workspace.lists, &mut workspace.turned);
        lists.clear();
        for (row, range) in requested.rows.ranges().enumerate() {
            let own = requested.outputs[range.clone()].iter().zip(&at_requested[range]);
            own.for_each(|(&output, &at)| lists.push(output.into(), at));
            value.iter().for_each(|&output| lists.push(output.into(), at_values[row]));
            lists.end();
        }
        turned.turn(lists, outputs);
        if let Some(node) = of_weight {
            let mut to = pool::take(outputs * apart);
            sparse(turned, &padded(&read(&features), width), None, apart, &mut to);
            gradients.register::<Flex>(node.id, tensor(packed(to, width), [outputs, width]));
        }
        recycle(features);
        if let Some(node) = of_bias {
            let sums = turned.rows().map(|row| row.iter().map(|term| term.factor).sum()).collect();
            gradients.register::<Flex>(node.id, tensor(sums, [outputs]));
        }
        if let Some(node) = of_features {
            let mut to = pool::take(count * apart);
            sparse(lists, &padded(&read(&weight), width), None, apart, &mut to);
            gradients.register::<Flex>(node.id, tensor(packed(to, width), [count, width]));
        }
        WORKSPACES.give(workspace);
    }
}

/// Registers the gradient of an operation with one input.
fn unary<S>(ops: Ops<S, 1>, gradients: &mut Gradients, back: impl FnOnce(Numbers, S) -> Numbers) {
    let gradient = gradients.consume::<Flex>(&ops.node);
    if let [Some(node)] = ops.parents {
        gradients.register::<Flex>(node.id, back(gradient, ops.state));
    }
}

#[derive(Debug)]
struct LogSoftmax;

impl Backward<Flex, 1> for LogSoftmax {
    type State = (Numbers, Arc<Groups>);

    fn backward(self, ops: Ops<Self::State, 1>, gradients: &mut Gradients, _: &mut Checkpointer) {
        unary(ops, gradients, |gradient, (output, groups)| {
            let (mut at, output) = (into_vec(gradient), read(&output));
            for group in groups.ranges() {
                let (at, output) = (&mut at[group.clone()], &output[group]);
                let all: f32 = at.iter().sum();
                at.iter_mut().zip(output).for_each(|(at, &log)| *at -= libm::expf(log) * all);
            }
            let count = at.len();
            tensor(at, [count])
        });
    }
}

#[derive(Debug)]
struct Sums;

impl Backward<Flex, 1> for Sums {
    type State = (usize, Arc<Groups>);

    fn backward(self, ops: Ops<Self::State, 1>, gradients: &mut Gradients, _: &mut Checkpointer) {
        unary(ops, gradients, |gradient, (count, groups)| {
            let mut to = vec![0.0; count];
            for (group, at) in groups.ranges().zip(read(&gradient).iter()) {
                match &groups.at {
                    None => to[group].fill(*at),
                    Some(places) => places[group].iter().for_each(|&place| to[place as usize] += at),
                }
            }
            tensor(to, [count])
        });
    }
}

/// Combines each number of the gradient with the number at its place in `by`.
fn each(gradient: Numbers, by: &Numbers, of: impl Fn(f32, f32) -> f32) -> Numbers {
    let shape = by.layout().shape().clone();
    let mut at = into_vec(gradient);
    at.iter_mut().zip(read(by).iter()).for_each(|(at, &by)| *at = of(*at, by));
    Numbers::from_data(burn::tensor::TensorData::new(at, shape))
}

#[derive(Debug)]
struct Exp;

impl Backward<Flex, 1> for Exp {
    type State = Numbers;

    fn backward(self, ops: Ops<Self::State, 1>, gradients: &mut Gradients, _: &mut Checkpointer) {
        unary(ops, gradients, |gradient, output| each(gradient, &output, |at, output| at * output));
    }
}

#[derive(Debug)]
struct Ln;

impl Backward<Flex, 1> for Ln {
    type State = Numbers;

    fn backward(self, ops: Ops<Self::State, 1>, gradients: &mut Gradients, _: &mut Checkpointer) {
        unary(ops, gradients, |gradient, input| each(gradient, &input, |at, input| at / input));
    }
}
