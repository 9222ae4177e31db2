//! The policy head for the legal actions only: forward, and the way back.
//!
//! A decision has a handful of legal actions among hundreds. Dense products over all of them would
//! take a third of the time of learning, so the head is computed action by action.

use cardsharp_env::ActionId;

use crate::net::Shape;

/// Sums are taken over so many lanes side by side, which makes them the same on every machine.
const LANES: usize = 16;

/// The policy head of one shard, and its gradient.
pub(super) struct Head {
    /// Width of the last hidden layer.
    pub(super) width: usize,
    /// `[actions, width]`: the weights of an action lie side by side.
    weights: Vec<f32>,
    /// `[actions]`.
    biases: Vec<f32>,
    at_weights: Vec<f32>,
    at_biases: Vec<f32>,
}

impl Head {
    /// The policy head of a network of policy and value with these flat weights.
    pub(super) fn new(shape: &Shape, flat: &[f32]) -> Self {
        let (weights, biases) = shape.head(0);
        let (actions, width) = (biases.len(), weights.len() / biases.len().max(1));
        let (of_actions, biases) = (transposed(&flat[weights], actions), flat[biases].to_vec());
        let (at_weights, at_biases) = (vec![0.0; of_actions.len()], vec![0.0; actions]);
        Self { width, weights: of_actions, biases, at_weights, at_biases }
    }

    /// The logits of the legal actions, in their order, for the features of one decision (`[width]`).
    pub(super) fn forward(&self, legal: &[ActionId], features: &[f32], logits: &mut Vec<f32>) {
        logits.clear();
        logits.extend(legal.iter().map(|action| {
            let action = usize::from(action.0);
            self.biases[action] + dot(self.of(action), features)
        }));
    }

    /// Collects the gradient of weights and biases, and adds that of the features (`[width]`), given
    /// that of the legal actions' logits.
    pub(super) fn backward(
        &mut self,
        legal: &[ActionId],
        at_logits: &[f32],
        features: &[f32],
        at_features: &mut [f32],
    ) {
        for (action, &gradient) in legal.iter().zip(at_logits) {
            let action = usize::from(action.0);
            add(gradient, self.of(action), at_features);
            self.at_biases[action] += gradient;
            add(gradient, features, &mut self.at_weights[action * self.width..][..self.width]);
        }
    }

    /// Writes the collected gradient to its place in the flat gradient of the network.
    pub(super) fn gradient(&self, shape: &Shape, flat: &mut [f32]) {
        let (weights, biases) = shape.head(0);
        flat[weights].copy_from_slice(&transposed(&self.at_weights, self.width));
        flat[biases].copy_from_slice(&self.at_biases);
    }

    fn of(&self, action: usize) -> &[f32] {
        &self.weights[action * self.width..][..self.width]
    }
}

/// A matrix of `columns` columns, turned over.
fn transposed(matrix: &[f32], columns: usize) -> Vec<f32> {
    let rows = matrix.len() / columns.max(1);
    let mut turned = vec![0.0; matrix.len()];
    for (row, numbers) in matrix.chunks_exact(columns.max(1)).enumerate() {
        for (column, &number) in numbers.iter().enumerate() {
            turned[column * rows + row] = number;
        }
    }
    turned
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let (a, b) = (a.chunks(LANES), b.chunks(LANES));
    for (a, b) in a.zip(b) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum()
}

/// Adds `factor` times `a` to `to`.
fn add(factor: f32, a: &[f32], to: &mut [f32]) {
    to.iter_mut().zip(a).for_each(|(to, a)| *to += factor * a);
}
