//! The shape and the weights of a network, and conversions from and to the plain network that actors use.
//!
//! Weights are one flat list of numbers; [`crate::nn`] makes burn modules of it. So nothing depends on a device or on
//! burn's random numbers, and a resumed run has exactly the bits of an uninterrupted one.

use std::ops::Range;

use cardsharp_bot::net::{Dense, Net, ShapeError, Weights};
use cardsharp_document::{FieldError, expect};
use cardsharp_env::Draw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[net]`: network architecture. The game determines inputs and outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NetConfig {
    /// Units of each hidden layer of the policy and value network, 1 to 8 layers of 1 to 4096 units.
    pub hidden: Vec<usize>,
    /// Factor on the initial weights of the policy head, above 0 and at most 1. A small factor makes the initial policy
    /// nearly uniform over legal actions.
    pub policy_gain: f32,
    /// Units of each hidden layer of a separate critic that sees all hands in training, up to 8 layers of 1 to 4096
    /// units. Empty means no critic: the value head of the policy network is used.
    pub critic: Vec<usize>,
    /// Path of a bot file, bundle or checkpoint of the same shape, or the name of a shipped or installed bot, for the
    /// initial weights. Empty means random weights.
    pub init_from: String,
}

impl Default for NetConfig {
    fn default() -> Self {
        Self { hidden: vec![256, 256], policy_gain: 0.01, critic: Vec::new(), init_from: String::new() }
    }
}

impl NetConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        let sizes = |layers: &[usize]| layers.len() <= 8 && layers.iter().all(|n| (1..=4096).contains(n));
        let hidden = sizes(&self.hidden) && !self.hidden.is_empty();
        expect(hidden, "hidden", format!("{:?}", self.hidden), "expected 1 to 8 layers of 1 to 4096 units")?;
        let gain = self.policy_gain > 0.0 && self.policy_gain <= 1.0;
        expect(gain, "policy_gain", self.policy_gain, "expected a number above 0, at most 1")?;
        let critic = sizes(&self.critic);
        expect(critic, "critic", format!("{:?}", self.critic), "expected at most 8 layers of 1 to 4096 units")
    }
}

/// The layers of a network: hidden ones with a ReLU after each, then heads side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of inputs: the cells of a row.
    pub inputs: usize,
    /// Outputs of each hidden layer, at least one layer.
    pub hidden: Vec<usize>,
    /// Outputs of each head; heads read the last hidden layer.
    pub heads: Vec<usize>,
}

impl Shape {
    /// Inputs and outputs of every layer, hidden ones first.
    pub fn layers(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let inputs = std::iter::once(self.inputs).chain(self.hidden.iter().copied());
        let heads = self.heads.iter().map(|&outputs| (self.width(), outputs));
        inputs.zip(self.hidden.iter().copied()).chain(heads)
    }

    /// Ranges of each layer's weights (`[inputs, outputs]`, row-major) and biases (`[outputs]`) in the flat weights.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + '_ {
        let mut start = 0;
        self.layers().map(move |(inputs, outputs)| {
            let bias = start + inputs * outputs;
            let weights = start..bias;
            start = bias + outputs;
            (weights, bias..start)
        })
    }

    /// Rows, columns and range of the weights of each hidden layer, and the range of its biases, in the flat weights.
    pub fn trunk(&self) -> impl Iterator<Item = (usize, usize, Range<usize>, Range<usize>)> + '_ {
        let layers = self.layers().zip(self.ranges()).take(self.hidden.len());
        layers.map(|((inputs, outputs), (weights, biases))| (inputs, outputs, weights, biases))
    }

    /// Number of outputs of the last hidden layer, which the heads read.
    pub fn width(&self) -> usize {
        self.hidden.last().copied().unwrap_or(self.inputs)
    }

    /// Ranges of the weights and the biases of head `head` in the flat weights.
    pub fn head(&self, head: usize) -> (Range<usize>, Range<usize>) {
        self.ranges().nth(self.hidden.len() + head).unwrap_or_default()
    }

    /// Number of weights and biases of the network.
    pub fn len(&self) -> usize {
        self.layers().map(|(inputs, outputs)| (inputs + 1) * outputs).sum()
    }

    /// Whether the network has no numbers at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Draws initial weights, `[len]`: uniform, with a variance that gives all layers activations of similar size (He
    /// et al. 2015). The weights of head `h` are multiplied by `gains[h]`; biases are 0.
    pub fn draw(&self, gains: &[f32], draw: &mut Draw) -> Vec<f32> {
        let mut weights = vec![0.0; self.len()];
        for (number, ((inputs, _), (range, _))) in self.layers().zip(self.ranges()).enumerate() {
            let (gain, variance) = match number.checked_sub(self.hidden.len()) {
                Some(head) => (gains.get(head).copied().unwrap_or(1.0), 1.0),
                None => (1.0, 2.0),
            };
            let bound = gain * (3.0 * variance / inputs as f32).sqrt();
            weights[range].iter_mut().for_each(|w| *w = (2.0 * draw.unit() - 1.0) * bound);
        }
        weights
    }
}

/// Returns the plain network of flat weights whose heads are policy and value. `scale` is the factor of each cell.
///
/// # Errors
/// The shape is not that of a policy and value network.
pub fn to_net(shape: &Shape, weights: &[f32], scale: &[f32]) -> Result<Net, ShapeError> {
    let mut layers = to_layers(shape, weights);
    let value = layers.pop().unwrap_or_default();
    let policy = layers.pop().unwrap_or_default();
    Net::new(Weights { scale: scale.to_vec(), trunk: layers, policy, value })
}

/// Returns the layers of flat weights, hidden ones first, then the heads.
pub(crate) fn to_layers(shape: &Shape, weights: &[f32]) -> Vec<Dense> {
    let layer = |((inputs, outputs), (weight, bias)): (_, (Range<usize>, Range<usize>))| Dense {
        inputs,
        outputs,
        weight: weights[weight].to_vec(),
        bias: weights[bias].to_vec(),
    };
    shape.layers().zip(shape.ranges()).map(layer).collect()
}

/// Returns the shape and the flat weights of a plain network.
pub fn from_net(net: &Net) -> (Shape, Vec<f32>) {
    let shape = Shape {
        inputs: net.scale.len(),
        hidden: net.trunk.iter().map(|layer| layer.outputs).collect(),
        heads: vec![net.policy.outputs, net.value.outputs],
    };
    let flat = net.named().flat_map(|(_, layer)| layer.weight.iter().chain(&layer.bias).copied()).collect();
    (shape, flat)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> Shape {
        Shape { inputs: 300, hidden: vec![64, 48], heads: vec![100, 1] }
    }

    #[test]
    fn weights_survive_the_way_through_a_plain_network() {
        let shape = shape();
        let weights = shape.draw(&[0.01, 1.0], &mut Draw::new(1, 0));
        assert_eq!(weights.len(), 301 * 64 + 65 * 48 + 49 * 101);
        let net = to_net(&shape, &weights, &vec![1.0; 300]).expect("the shape of a policy and value network");
        assert_eq!(from_net(&net), (shape, weights));
    }

    #[test]
    fn initial_weights_have_the_variance_that_was_asked_for() {
        let shape = Shape { inputs: 400, hidden: vec![100], heads: vec![200, 1] };
        let weights = shape.draw(&[0.1, 1.0], &mut Draw::new(2, 0));
        let variance = |range: Range<usize>| {
            let n = range.len() as f32;
            weights[range].iter().map(|w| w * w).sum::<f32>() / n
        };
        let ranges: Vec<_> = shape.ranges().collect();
        for ((weight, bias), expected) in ranges.into_iter().zip([2.0 / 400.0, 0.01 / 100.0, 1.0 / 100.0]) {
            let found = variance(weight);
            assert!((found / expected - 1.0).abs() < 0.2, "{found} instead of {expected}");
            assert!(weights[bias].iter().all(|&b| b == 0.0));
        }
    }
}
