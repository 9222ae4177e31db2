//! Learning algorithms, one file each, with its settings at the top.
//!
//! A run uses an algorithm through [`Algorithm`]: how its rollouts are played, how later rewards are discounted, and
//! how it learns. `beliefs` is separate: it trains belief models. `descent` is shared: gradient descent over a rollout
//! in minibatches.

pub mod beliefs;
mod descent;
pub mod dmc;
pub mod ppo;
pub mod schedule;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::file::Outputs;
use cardsharp_bot::workers::Stopped;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::device::Device;
use crate::learner::Learner;
use crate::rollout::{Acting, Decisions, Discounts, DistillTargets, NONE};

pub use descent::{Descent, DescentStats, EarlyStop, LossSums};
pub use schedule::Schedule;

/// The algorithms by name.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AlgorithmName {
    /// Proximal policy optimization (PPO).
    #[default]
    Ppo,
    /// Deep Monte Carlo (DMC).
    Dmc,
}

/// A learning algorithm. Its settings implement it.
pub trait Algorithm: Send + Sync {
    /// The name in configurations and headers.
    fn name(&self) -> &'static str;
    /// The meaning of the network's outputs for actions.
    fn outputs(&self) -> Outputs;
    /// Discount factors for later rewards.
    fn discounts(&self) -> Discounts;
    /// How the learner and its snapshots choose actions in rollouts; `progress` is 0 in the first, 1 in the last
    /// iteration.
    fn acting(&self, progress: f32) -> Acting;
    /// Number of iterations at the start of the run in which the scripted player chooses the actions, for imitation.
    fn imitated(&self) -> u64 {
        0
    }
    /// Whether the learner has a reference policy, an earlier copy of its policy.
    fn has_reference_policy(&self) -> bool {
        false
    }
    /// Whether the learner has a replay buffer of distillation targets from the endgame solver.
    fn distills(&self) -> bool {
        false
    }
    /// The names of all metrics that [`Algorithm::update`] reports; `critic` says whether there is a critic.
    fn metrics(&self, critic: bool) -> Vec<&'static str>;
    /// Learns from a rollout, which has at least one decision.
    ///
    /// # Errors
    /// A gradient is not finite, or the step's `stop` was set. Do not use the learner after an error.
    fn update(
        &self,
        learner: &mut Learner,
        decisions: &Decisions,
        step: &UpdateContext<'_>,
    ) -> Result<UpdateReport, UpdateError>;
}

/// An algorithm of a program that embeds the trainer, or none; `docs/your-own-algorithm.md` writes one.
#[derive(Clone, Default)]
pub struct CustomAlgorithm(Option<Arc<dyn Algorithm>>);

impl CustomAlgorithm {
    /// Makes a run learn with this algorithm.
    pub fn new(algorithm: impl Algorithm + 'static) -> Self {
        Self(Some(Arc::new(algorithm)))
    }

    /// Returns the algorithm, if there is one.
    pub(crate) fn get(&self) -> Option<Arc<dyn Algorithm>> {
        self.0.clone()
    }

    fn name(&self) -> Option<&'static str> {
        self.0.as_ref().map(|algorithm| algorithm.name())
    }
}

impl fmt::Debug for CustomAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CustomAlgorithm").field(&self.name()).finish()
    }
}

/// Algorithms are the same if they have the same name.
impl PartialEq for CustomAlgorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// The context of one iteration's update.
pub struct UpdateContext<'a> {
    /// 0 in the first, 1 in the last iteration.
    pub progress: f32,
    /// The seed of the run.
    pub seed: u64,
    /// Iterations that are complete.
    pub iteration: u64,
    /// Whether the decisions are those of the scripted player, for imitation.
    pub imitate: bool,
    /// Distillation targets of the rollout.
    pub distill: &'a DistillTargets,
    /// Number of threads to compute on.
    pub threads: usize,
    /// The device that computes the network.
    pub device: &'a Device,
    /// Once it is set, the update ends before its next minibatch.
    pub stop: &'a AtomicBool,
}

/// The results of an iteration's update.
#[derive(Clone, Debug, Default)]
pub struct UpdateReport {
    /// The values of the algorithm's metrics, by name.
    pub metrics: Vec<(&'static str, f64)>,
    /// Advantages before normalization, one per decision.
    pub advantages: Vec<f32>,
    /// Returns, one per decision.
    pub returns: Vec<f32>,
    /// Decisions that went through the network, summed over epochs.
    pub samples: u64,
    /// Seconds spent in the network and the loss, summed over threads.
    pub network: f64,
    /// Seconds spent in the optimizer.
    pub optimizer: f64,
}

/// A gradient is not finite.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("training diverged: the gradient of optimizer step {step} is not finite; try a lower learning rate")]
pub struct Diverged {
    /// The optimizer step, counted over the run.
    pub step: u64,
}

/// Why an update ended early.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// A gradient is not finite.
    #[error(transparent)]
    Diverged(#[from] Diverged),
    /// The run was asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Returns generalized advantage estimates (Schulman et al. 2016), along the links from each decision to the same
/// seat's next one. `values` are the expected returns of the decisions. With values of 0 and `lambda` 1 the result is
/// the returns.
pub fn advantages(decisions: &Decisions, values: &[f32], lambda: f32) -> Vec<f32> {
    let mut advantages = vec![0.0; decisions.len()];
    // A successor has a higher index, so its advantage is known by then.
    for i in (0..decisions.len()).rev() {
        let mut advantage = decisions.rewards[i] - values[i];
        if decisions.next[i] != NONE {
            let next = decisions.next[i] as usize;
            advantage += decisions.discounts[i] * (values[next] + lambda * advantages[next]);
        }
        advantages[i] = advantage;
    }
    advantages
}

/// Returns mean and standard deviation.
fn moments(numbers: &[f32]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().map(|&n| f64::from(n)).sum::<f64>() / count;
    let variance = numbers.iter().map(|&n| (f64::from(n) - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

/// Returns the share of the variance of `returns` that `values` explain.
fn explained(values: &[f32], returns: &[f32]) -> f64 {
    let errors: Vec<f32> = returns.iter().zip(values).map(|(r, v)| r - v).collect();
    let (all, left) = (moments(returns).1, moments(&errors).1);
    if all > 0.0 { 1.0 - (left / all).powi(2) } else { 0.0 }
}
