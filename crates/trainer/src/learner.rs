//! The networks that learn, with the optimizer's memory, for all algorithms.

use std::sync::Arc;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::net::{Net, ShapeError};

use crate::net::{Shape, to_net};
use crate::nn::custom::Architecture;
use crate::optimizer::Adam;
use crate::rollout::ReplayBuffer;

/// A network that learns: its weights and the optimizer's memory.
#[derive(Clone, Debug, PartialEq)]
pub struct NetState {
    /// The widths of its layers.
    pub shape: Shape,
    /// The architecture of a program that embeds the trainer. Then `shape` has only the inputs and outputs.
    pub module: Option<Architecture>,
    /// All weights and biases, flat.
    pub weights: Vec<f32>,
    /// The moments of the optimizer.
    pub adam: Adam,
}

impl NetState {
    /// A network with these weights, before its first step.
    pub fn new(shape: Shape, weights: Vec<f32>) -> Self {
        let adam = Adam::new(weights.len());
        Self { shape, module: None, weights, adam }
    }
}

/// The networks that learn, and the scales of their inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    /// The policy and value network; its input is the observation.
    pub policy: NetState,
    /// The critic; its inputs are the observation and the hidden cells.
    pub critic: Option<NetState>,
    /// Weights of the reference policy, an earlier copy of the policy network; none if there is no reference policy.
    pub reference_policy: Option<Vec<f32>>,
    /// The replay buffer of distillation targets; none if the algorithm does not use them.
    pub replay_buffer: Option<ReplayBuffer>,
    /// Factor of each cell of an observation, `[cells]`.
    pub scale: Vec<f32>,
    /// Factor of each hidden cell, `[hidden cells]`.
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

    /// Returns the policy network, if it is one of the trainer's own layers.
    ///
    /// # Errors
    /// The policy's shape is not that of a policy and value network.
    pub fn net(&self) -> Result<Net, ShapeError> {
        to_net(&self.policy.shape, &self.policy.weights, &self.scale)
    }

    /// Returns the factors of the critic's inputs: all cells, the hidden ones last.
    pub(crate) fn critic_scale(&self) -> Vec<f32> {
        [&self.scale[..], &self.hidden_scale].concat()
    }
}
