//! Networks as modules of burn, and what losses see of a minibatch.
//!
//! On the CPU the operations in [`ops`] compute networks, at the legal actions only. On a GPU burn's own operations
//! compute all actions and mask the others. [`PerAction`] hides the difference, so each loss is written once. Networks
//! of other architectures ([`custom`]) use burn's own operations on the CPU, too.

pub mod custom;
mod device_rollout;
mod inputs;
mod network;
pub mod ops;
mod per_action;
pub(crate) mod pool;

pub(crate) use device_rollout::{DeviceMinibatch, DeviceRollout};
pub(crate) use inputs::{Inputs, over_rows, requested_outputs};
pub(crate) use network::{CpuNet, HeadOutputs, numbers};
pub use network::{Layer, Net};
pub(crate) use ops::RequestedOutputs;
pub use per_action::{PerAction, Places};

use burn::tensor::Tensor;

use crate::rollout::Decisions;

/// Decisions to learn from, and the numbers that the loss needs for each of them.
#[derive(Copy, Clone)]
pub struct Rows<'a> {
    /// The decisions to learn from.
    pub decisions: &'a Decisions,
    /// Columns with one number for each decision.
    pub columns: &'a [&'a [f32]],
    /// Target probabilities of the last decisions, `[lessons, actions]`; empty if none has a target.
    pub targets: &'a [f32],
    /// The outputs that the loss depends on.
    pub outputs: OutputSet<'a>,
}

/// The outputs of a policy network that a loss depends on.
#[derive(Copy, Clone)]
pub enum OutputSet<'a> {
    /// Those of the legal actions.
    Legal,
    /// That of the action that was played.
    Played,
    /// The sums of several lists of outputs for each decision, always the same number of lists.
    Lists(&'a dyn OutputLists),
}

/// Lists of network outputs, one list for each decision.
pub trait OutputLists: Sync {
    /// The lists of a decision; each list ascends.
    fn lists(&self, decision: usize) -> Vec<&[u16]>;
}

/// What a loss sees of a minibatch or of a part of it. All tensors have one row for each decision, in the same order.
pub struct Minibatch {
    /// The policy network's outputs for actions.
    pub logits: PerAction,
    /// The value head's outputs, `[decisions]`; empty for a network without one.
    pub value: Tensor<1>,
    /// The outputs of the reference policy, if there is one.
    pub reference: Option<PerAction>,
    /// The values of the critic, `[decisions]`, if there is one.
    pub critic: Option<Tensor<1>>,
    /// The actions that were played, for [`PerAction::at`].
    pub played: Places,
    /// The columns of [`Rows::columns`], `[decisions]` each.
    pub columns: Vec<Tensor<1>>,
    /// Target probabilities, 0 for decisions without a target; none if no decision has one.
    pub targets: Option<PerAction>,
}

/// The loss of a minibatch or of a part of it.
pub struct Loss {
    /// The loss of each decision, `[decisions]`. The gradient is that of its mean.
    pub each: Tensor<1>,
    /// Values by name, `[decisions]` each, which are summed over all decisions for the metrics.
    pub parts: Vec<(&'static str, Tensor<1>)>,
}

/// The loss of forecasts with these errors: half the square. If `bound` is above 0, it is linear beyond `bound`, with
/// that slope (Huber 1964).
pub fn huber(errors: Tensor<1>, bound: f32) -> Tensor<1> {
    if bound == 0.0 {
        return errors.clone() * errors.mul_scalar(0.5);
    }
    let size = errors.abs();
    let within = size.clone().clamp_max(bound);
    within.clone() * within.clone().mul_scalar(0.5) + (size - within).mul_scalar(bound)
}
