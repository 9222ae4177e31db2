//! A shard's way through a network and back.
//!
//! The hidden layers are computed as products of matrices, the heads' outputs one by one: a decision has a handful of legal
//! actions among hundreds, and a dense product over all of them would take a third of the time of learning.

mod trunk;

use cardsharp_env::{ActionId, mask};

use crate::net::Shape;
use crate::rollout::Decisions;
use cardsharp_bot::arithmetic::{Cells, Lists, dots, sparse, stride, turn};
use trunk::Trunk;

/// A network with its numbers.
#[derive(Copy, Clone)]
pub(super) struct Network<'a> {
    pub(super) shape: &'a Shape,
    pub(super) weights: &'a [f32],
}

/// A decision as a loss sees it.
pub(super) struct Seen<'a> {
    /// Its number among the decisions.
    pub(super) id: usize,
    /// The outputs that were asked for, those of all heads numbered through.
    pub(super) asked: &'a [u16],
    /// What the network says there.
    pub(super) outputs: &'a [f32],
}

/// Room that passes use again: memory that is given back to the system has to be cleared by it each time.
#[derive(Default)]
pub(super) struct Room {
    /// The shard's inputs.
    inputs: Cells,
    trunk: Trunk,
    heads: Heads,
    asked: Vec<u16>,
    outputs: Vec<f32>,
    at_outputs: Vec<f32>,
    at: Lists,
    turned: Lists,
    at_features: Vec<f32>,
    at_heads: Vec<f32>,
}

/// The output after those of all actions: the value of a network of policy and value.
pub(super) fn value_output(shape: &Shape) -> u16 {
    shape.heads[0] as u16
}

/// Writes the outputs of the legal actions of a decision, ascending.
pub(super) fn legal(decisions: &Decisions, id: usize, outputs: &mut Vec<u16>) {
    let words = decisions.legal.len() / decisions.len();
    let actions = mask::actions(&decisions.legal[id * words..][..words]);
    outputs.extend(actions.map(|ActionId(action)| action));
}

/// What a network is told of decisions.
#[derive(Copy, Clone)]
pub(super) struct Inputs<'a> {
    pub(super) decisions: &'a Decisions,
    /// The decisions that are meant.
    pub(super) ids: &'a [u32],
    /// What cells are multiplied with, the hidden ones last if they are told.
    pub(super) scale: &'a [f32],
}

impl Inputs<'_> {
    fn read(self, to: &mut Cells) {
        let Self { decisions, ids, scale } = self;
        let (cells, hidden) =
            (decisions.rows.len() / decisions.len(), decisions.hidden.len() / decisions.len());
        let told = if scale.len() > cells { hidden } else { 0 };
        to.clear(scale.len());
        for id in ids.iter().map(|&id| id as usize) {
            to.push(&[&decisions.rows[id * cells..][..cells], &decisions.hidden[id * hidden..][..told]]);
        }
    }
}

impl Room {
    /// What a network says about decisions: `ask` writes the outputs of a decision that are wanted to its (empty) list, `see`
    /// gets them in order.
    pub(super) fn outputs(
        &mut self,
        network: Network<'_>,
        told: Inputs<'_>,
        ask: impl Fn(usize, &mut Vec<u16>),
        mut see: impl FnMut(&[f32]),
    ) {
        let Self { inputs, trunk, heads, asked, outputs, .. } = self;
        told.read(inputs);
        heads.read(network);
        let features = trunk.forward(network, inputs, told.scale);
        for (&id, features) in told.ids.iter().zip(features.chunks_exact(heads.stride)) {
            asked.clear();
            ask(id as usize, asked);
            heads.forward(asked, features, outputs);
            see(outputs);
        }
    }

    /// The gradient of a loss over decisions, for all numbers of a network, flat. For each
    /// decision, in order, `ask` writes the outputs that the loss depends on to its (empty) list, then `judge` the loss's
    /// gradient at each of them.
    pub(super) fn gradient(
        &mut self,
        network: Network<'_>,
        told: Inputs<'_>,
        ask: impl Fn(usize, &mut Vec<u16>),
        mut judge: impl FnMut(Seen<'_>, &mut Vec<f32>),
        gradient: &mut Vec<f32>,
    ) {
        let Self { inputs, trunk, heads, asked, outputs, at_outputs, at, turned, at_features, at_heads } =
            self;
        told.read(inputs);
        heads.read(network);
        let features = trunk.forward(network, inputs, told.scale);
        at.clear();
        for (place, &id) in told.ids.iter().enumerate() {
            let id = id as usize;
            asked.clear();
            ask(id, asked);
            heads.forward(asked, &features[place * heads.stride..][..heads.stride], outputs);
            at_outputs.clear();
            judge(Seen { id, asked, outputs }, at_outputs);
            asked
                .iter()
                .zip(&*at_outputs)
                .for_each(|(&output, &at_output)| at.push(output.into(), at_output));
            at.end();
        }
        gradient.resize(network.shape.len(), 0.0);
        turned.turn(at, heads.biases.len());
        at_heads.resize(heads.weights.len(), 0.0);
        sparse(turned, features, None, heads.stride, at_heads);
        heads.write(network.shape, at_heads, turned, gradient);
        at_features.resize(features.len(), 0.0);
        sparse(at, &heads.weights, None, heads.stride, at_features);
        trunk.backward(network, inputs, told.scale, at_features, gradient);
    }
}

/// The heads of a network, side by side.
#[derive(Default)]
struct Heads {
    /// `[outputs, stride]`: the weights of an output lie side by side.
    weights: Vec<f32>,
    /// `[outputs]`.
    biases: Vec<f32>,
    stride: usize,
}

impl Heads {
    fn read(&mut self, Network { shape, weights }: Network<'_>) {
        self.stride = stride(shape.width());
        self.biases.clear();
        self.weights.clear();
        self.weights.resize(shape.heads.iter().sum::<usize>() * self.stride, 0.0);
        for (head, &outputs) in shape.heads.iter().enumerate() {
            let (of_weights, of_biases) = shape.head(head);
            let to = &mut self.weights[self.biases.len() * self.stride..];
            turn(&weights[of_weights], outputs, outputs, to, self.stride);
            self.biases.extend_from_slice(&weights[of_biases]);
        }
    }

    /// The outputs that are asked for, in their order, for the features of one decision (`[stride]`).
    fn forward(&self, asked: &[u16], features: &[f32], outputs: &mut Vec<f32>) {
        dots(asked, &self.weights, &self.biases, features, outputs);
    }

    /// Writes the gradient of weights (`[outputs, stride]`) and biases (a row for each output, to be added up) to its place in the
    /// flat gradient of the network.
    fn write(&self, shape: &Shape, at_weights: &[f32], at_outputs: &Lists, gradient: &mut [f32]) {
        let mut first = 0;
        for (head, &outputs) in shape.heads.iter().enumerate() {
            let (weights, biases) = shape.head(head);
            let from = &at_weights[first * self.stride..][..outputs * self.stride];
            turn(from, self.stride, shape.width(), &mut gradient[weights], outputs);
            for (output, at_bias) in (first..).zip(&mut gradient[biases]) {
                *at_bias = at_outputs.row(output).iter().map(|term| term.factor).sum();
            }
            first += outputs;
        }
    }
}

#[cfg(test)]
mod tests;
