//! What learns: networks with their optimisers' memories, whatever the algorithm.

use std::sync::Arc;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::net::{Net, ShapeError};

use crate::net::{Shape, to_net};
use crate::nn::custom::Architecture;
use crate::optimizer::Adam;
use crate::rollout::Kept;

/// A network that learns: its numbers and the optimiser's memory of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The layers.
    pub shape: Shape,
    /// The architecture of a program that embeds the trainer. Then `shape` has only the inputs and outputs.
    pub module: Option<Architecture>,
    /// All numbers, flat.
    pub weights: Vec<f32>,
    /// The optimiser's memory.
    pub adam: Adam,
}

impl Part {
    /// A network with these numbers, before its first step.
    pub fn new(shape: Shape, weights: Vec<f32>) -> Self {
        let adam = Adam::new(weights.len());
        Self { shape, module: None, weights, adam }
    }
}

/// The networks that learn, and what their inputs are multiplied with.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    /// Policy and value heads over the own view.
    pub policy: Part,
    /// A value head over the own view and the hidden cells.
    pub critic: Option<Part>,
    /// Weights of the reference policy, an earlier copy of the policy network; none if there is no reference policy.
    pub reference_policy: Option<Vec<f32>>,
    /// What was taught lately; none if nobody teaches.
    pub lessons: Option<Kept>,
    /// Per cell of a row, `[cells]`.
    pub scale: Vec<f32>,
    /// Per hidden cell, `[hidden cells]`.
    pub hidden_scale: Vec<f32>,
}

impl Learner {
    /// Returns the policy network as actors use it.
    ///
    /// # Errors
    /// The policy's shape is not that of a policy and value network.
    pub fn actor(&self) -> Result<Arc<dyn PolicyNet>, ShapeError> {
        Ok(match &self.policy.module {
            Some(module) => Arc::new(module.actor(self.policy.weights.clone(), &self.scale)),
            None => Arc::new(self.net()?),
        })
    }

    /// The policy network of layers.
    ///
    /// # Errors
    /// The policy's shape is not that of a policy and value network.
    pub fn net(&self) -> Result<Net, ShapeError> {
        to_net(&self.policy.shape, &self.policy.weights, &self.scale)
    }

    /// The factors of the critic's inputs: of all cells, the hidden ones last.
    pub(crate) fn critic_scale(&self) -> Vec<f32> {
        [&self.scale[..], &self.hidden_scale].concat()
    }
}
