//! Learning algorithms, one file each, with its config and a glossary of its metrics on top.
//!
//! A run knows an algorithm as [`Algorithm`]: how its rollouts are played, what they are worth, how it
//! learns from them; `beliefs` stands apart, and learns how somebody plays. What any of them needs is beside them: `descent` walks through a rollout in
//! minibatches.

pub mod beliefs;
mod descent;
pub mod dmc;
pub mod expert;
pub mod own;
pub mod ppo;
pub mod schedule;

use std::sync::atomic::AtomicBool;

use cardsharp_bot::file::Outputs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::device::Device;
use crate::learner::Learner;
use crate::rollout::{Acting, Decisions, Discounts, Lessons, NONE, Teaching};
use cardsharp_bot::workers::Stopped;

pub use descent::{Descent, Enough, Sums, Walked};
pub use schedule::Schedule;

/// The algorithms by name.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AlgorithmName {
    /// [`ppo`].
    #[default]
    Ppo,
    /// [`dmc`].
    Dmc,
    /// [`expert`].
    Expert,
}

/// What a run needs to know of an algorithm. Implemented by its configuration.
pub trait Algorithm: Send + Sync {
    /// Its name in configurations and headers.
    fn name(&self) -> &'static str;
    /// What the network's outputs for actions come to be.
    fn outputs(&self) -> Outputs;
    /// What later rewards are worth to a decision.
    fn discounts(&self) -> Discounts;
    /// How the learner and its past selves pick in rollouts; `progress` is 0 in the first, 1 in the last
    /// iteration.
    fn acting(&self, progress: f32) -> Acting;
    /// Iterations of imitation at the start of the run, in which the scripted player decides.
    fn imitated(&self) -> u64 {
        0
    }
    /// Whether the learner has a reference policy, an earlier copy of its policy.
    fn has_reference_policy(&self) -> bool {
        false
    }
    /// What it learns of searchers and exact ends; nothing of most algorithms, whose searchers are opponents and no more.
    fn teaching(&self) -> Option<Teaching> {
        None
    }
    /// The names of all metrics that [`Algorithm::update`] reports, with a critic or without.
    fn metrics(&self, critic: bool) -> Vec<&'static str>;
    /// Learns from a rollout, which has at least one decision.
    ///
    /// # Errors
    /// A gradient is not finite, or the step's `stop` was set. The learner is then of no use.
    fn update(
        &self,
        learner: &mut Learner,
        decisions: &Decisions,
        step: &Step<'_>,
    ) -> Result<Report, UpdateError>;
}

/// What is fixed for one iteration.
pub struct Step<'a> {
    /// 0 in the first, 1 in the last iteration.
    pub progress: f32,
    /// The seed of the run.
    pub seed: u64,
    /// Iterations that are complete.
    pub iteration: u64,
    /// Whether the decisions are another player's, to be imitated.
    pub imitate: bool,
    /// What searchers and exact ends taught in the rollout.
    pub lessons: &'a Lessons,
    /// Threads to compute on.
    pub threads: usize,
    /// Where the network is computed.
    pub device: &'a Device,
    /// Once it is set, the update ends before its next minibatch.
    pub stop: &'a AtomicBool,
}

/// What an iteration reports.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Metrics by name.
    pub metrics: Vec<(&'static str, f64)>,
    /// What each decision earned beyond what was expected of it, before normalisation.
    pub advantages: Vec<f32>,
    /// Returns, one per decision.
    pub returns: Vec<f32>,
    /// Decisions that went through the network, all epochs together.
    pub samples: u64,
    /// Seconds spent in the network and the loss, all threads together.
    pub network: f64,
    /// Seconds spent in the optimiser.
    pub optimizer: f64,
}

/// The numbers of a network are no longer finite.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("training diverged: the gradient of optimizer step {step} is not finite; try a lower learning rate")]
pub struct Diverged {
    /// The optimiser step, counted over the run.
    pub step: u64,
}

/// Why an update did not come to its end.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// The numbers are no longer finite.
    #[error(transparent)]
    Diverged(#[from] Diverged),
    /// It was asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Generalised advantage estimates (Schulman et al. 2016), along the links from each decision to the
/// same seat's next one. `values` says what each decision expected. With values of 0 and `lambda` 1 they
/// are the returns themselves.
pub fn advantages(decisions: &Decisions, values: &[f32], lambda: f32) -> Vec<f32> {
    let mut advantages = vec![0.0; decisions.len()];
    // A decision's successor was made later, so its advantage is known by then.
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

/// Mean and deviation.
fn moments(numbers: &[f32]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().map(|&n| f64::from(n)).sum::<f64>() / count;
    let variance = numbers.iter().map(|&n| (f64::from(n) - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

/// The share of the variance of `returns` that `values` foretold.
fn explained(values: &[f32], returns: &[f32]) -> f64 {
    let errors: Vec<f32> = returns.iter().zip(values).map(|(r, v)| r - v).collect();
    let (all, left) = (moments(returns).1, moments(&errors).1);
    if all > 0.0 { 1.0 - (left / all).powi(2) } else { 0.0 }
}
