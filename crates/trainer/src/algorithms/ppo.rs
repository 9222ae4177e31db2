//! Proximal policy optimisation over legal actions (Schulman et al. 2017), for self-play.
//!
//! Every decision of the learner, whatever seat made it, goes through one network. Advantages follow
//! each seat's own decisions ([`advantages`]). The clipped loss, its gradient at the logits of legal
//! actions and its statistics are written out in `ppo/loss.rs`, and so is the policy head (`ppo/head.rs`),
//! of whose hundreds of outputs a decision needs the few legal ones; burn carries the gradient on
//! through the hidden layers. A test compares all of it with what burn finds by itself for a softmax
//! over all actions.
//!
//! | metric | what it tells |
//! |---|---|
//! | `loss/policy` | mean of the clipped objective, negative: falls when likely actions were good ones; while imitating the mean cross-entropy in nats, which falls to 0 |
//! | `loss/value` | half the mean squared error of the value head, linear beyond `value_bound` |
//! | `loss/critic` | the same of the critic that sees all hands, if there is one |
//! | `loss/gradient_norm` | mean length of the policy network's gradient before clipping |
//! | `policy/magnet` | mean divergence KL(π ‖ magnet) in nats, where there is a magnet |
//! | `policy/entropy` | mean entropy in nats over legal actions: 0 is a policy without any doubt |
//! | `policy/approx_kl` | how far the policy moved within the iteration, as (r − 1) − ln r; above 0.05 is a lot |
//! | `policy/clip_fraction` | share of decisions whose ratio r left 1 ± `clip`; 0.05 to 0.3 is usual |
//! | `policy/learning_rate`, `policy/entropy_weight` | what the schedules said |
//! | `policy/steps` | optimiser steps of the iteration: fewer than planned if `target_kl` ended it |
//! | `value/explained_variance` | 1 is a perfect forecast of returns, 0 no better than their mean |
//! | `critic/explained_variance` | the same of the critic |
//! | `value/return_mean`, `value/advantage_deviation` | of the rollout, before normalisation |

mod head;
mod loss;

use std::time::Instant;

use burn::tensor::{Device, Tensor, TensorData};
use cardsharp_env::Draw;
use serde::{Deserialize, Serialize};

use crate::fields::{FieldError, expect};
use crate::learner::{Learner, Part};
use crate::net::{Layers, numbers};
use crate::optimizer::{AdamConfig, clip};
use crate::rollout::{Decisions, NONE};
use crate::streams::{self, Purpose};
use crate::workers::in_order;

use loss::{Sums, Task};

/// A value that moves in a straight line from the first to the last iteration of a run.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// The value in the first iteration.
    pub from: f32,
    /// The value in the last iteration.
    pub to: f32,
}

impl Linear {
    /// The value at `progress`, 0 in the first and 1 in the last iteration.
    pub fn at(self, progress: f32) -> f32 {
        self.from + (self.to - self.from) * progress
    }
}

/// `[ppo]`: how the policy learns from a rollout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PpoConfig {
    /// Iterations at the beginning in which the scripted player decides in every seat, and the policy
    /// learns to choose as it did (cross-entropy) and the value what came of it; 0 to 10000000. The
    /// self-play that follows starts from there.
    pub imitate: u64,
    /// Step size of Adam, above 0 and at most 0.1.
    pub learning_rate: Linear,
    /// Weight of the policy's entropy in the loss, 0 to 1. Games of hidden information want ten times
    /// the usual (0.05 and more at the start).
    pub entropy: Linear,
    /// Weight of the divergence KL(π ‖ magnet) in the loss, 0 to 10: the magnet is the policy as it was
    /// a while ago, and holds it back (magnetic mirror descent, Sokota et al. 2023). With it two players
    /// who learn from each other come to rest where they would otherwise circle. 0 is no magnet.
    pub magnet: f32,
    /// Iterations after which the policy of the hour becomes the magnet, at least 1.
    pub magnet_every: u64,
    /// Weight of the value loss, 0 to 10.
    pub value_weight: f32,
    /// Error of a value forecast from which on the loss grows linearly instead of with its square, at
    /// least 0: so that rare large scores do not rule the network's gradient. 0 bounds nothing.
    pub value_bound: f32,
    /// How far the probability ratio may move before its gradient stops, above 0 and below 1.
    pub clip: f32,
    /// Passes over each rollout, 1 to 100.
    pub epochs: usize,
    /// Decisions per optimiser step, at least 1. A rollout is cut into equal parts of about this size.
    pub minibatch: usize,
    /// Parts of a minibatch that are computed side by side, 1 to 64. The sums are taken in order of the
    /// parts: the result depends on this number and not on the number of cores.
    pub shards: usize,
    /// Largest Euclidean length of the gradient over all weights of a network, above 0.
    pub gradient_norm: f32,
    /// Discount from a decision to the same seat's next one in the same round, 0 to 1.
    pub gamma: f32,
    /// Discount across the border of two rounds, 0 to 1. At 0 every round stands on its own.
    pub round_gamma: f32,
    /// Decay of later temporal differences in the advantage (GAE), 0 to 1.
    pub lambda: f32,
    /// Whether the advantages of a rollout are brought to mean 0 and deviation 1.
    pub normalise_advantages: bool,
    /// The epochs over a rollout end early once the approximate KL divergence from the policy that
    /// played it passes this value, at least 0. At 0 they never do.
    pub target_kl: f32,
    /// Decay of Adam's mean of gradients, 0 to below 1.
    pub beta1: f32,
    /// Decay of Adam's mean of squared gradients, 0 to below 1.
    pub beta2: f32,
    /// What Adam adds to the root of the mean square, above 0.
    pub epsilon: f32,
}

impl Default for PpoConfig {
    fn default() -> Self {
        Self {
            imitate: 0,
            learning_rate: Linear { from: 5e-4, to: 5e-5 },
            entropy: Linear { from: 0.03, to: 0.005 },
            magnet: 0.0,
            magnet_every: 50,
            value_weight: 0.5,
            value_bound: 0.0,
            clip: 0.2,
            epochs: 3,
            minibatch: 2048,
            shards: 2,
            gradient_norm: 0.5,
            gamma: 1.0,
            round_gamma: 0.0,
            lambda: 0.95,
            normalise_advantages: true,
            target_kl: 0.0,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-5,
        }
    }
}

impl PpoConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        expect(self.imitate <= 10_000_000, "imitate", self.imitate, "expected 0 to 10000000")?;
        for (field, rate) in
            [("learning_rate.from", self.learning_rate.from), ("learning_rate.to", self.learning_rate.to)]
        {
            expect(rate > 0.0 && rate <= 0.1, field, rate, "expected a number above 0, at most 0.1")?;
        }
        for (field, share) in [
            ("entropy.from", self.entropy.from),
            ("entropy.to", self.entropy.to),
            ("gamma", self.gamma),
            ("round_gamma", self.round_gamma),
            ("lambda", self.lambda),
        ] {
            expect((0.0..=1.0).contains(&share), field, share, "expected a number from 0 to 1")?;
        }
        let magnet = (0.0..=10.0).contains(&self.magnet);
        expect(magnet, "magnet", self.magnet, "expected a number from 0 to 10")?;
        expect(self.magnet_every >= 1, "magnet_every", self.magnet_every, "expected at least 1")?;
        let weight = (0.0..=10.0).contains(&self.value_weight);
        expect(weight, "value_weight", self.value_weight, "expected a number from 0 to 10")?;
        let bound = self.value_bound >= 0.0 && self.value_bound.is_finite();
        expect(bound, "value_bound", self.value_bound, "expected a number of at least 0")?;
        expect(
            self.clip > 0.0 && self.clip < 1.0,
            "clip",
            self.clip,
            "expected a number above 0 and below 1",
        )?;
        expect((1..=100).contains(&self.epochs), "epochs", self.epochs, "expected 1 to 100")?;
        expect(self.minibatch >= 1, "minibatch", self.minibatch, "expected at least 1")?;
        expect((1..=64).contains(&self.shards), "shards", self.shards, "expected 1 to 64")?;
        let norm = self.gradient_norm > 0.0 && self.gradient_norm.is_finite();
        expect(norm, "gradient_norm", self.gradient_norm, "expected a number above 0")?;
        let kl = self.target_kl >= 0.0 && self.target_kl.is_finite();
        expect(kl, "target_kl", self.target_kl, "expected a number of at least 0")?;
        for (field, beta) in [("beta1", self.beta1), ("beta2", self.beta2)] {
            expect((0.0..1.0).contains(&beta), field, beta, "expected a number from 0 to below 1")?;
        }
        let epsilon = self.epsilon > 0.0 && self.epsilon < 1.0;
        expect(epsilon, "epsilon", self.epsilon, "expected a number above 0 and below 1")
    }
}

/// Generalised advantage estimates (Schulman et al. 2016), along the links from each decision to the
/// same seat's next one. `values` says what each decision expected.
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

/// What is fixed for one iteration.
pub struct Step<'a> {
    /// The algorithm's settings.
    pub config: &'a PpoConfig,
    /// 0 in the first, 1 in the last iteration.
    pub progress: f32,
    /// The seed of the run.
    pub seed: u64,
    /// Iterations that are complete.
    pub iteration: u64,
    /// Whether the decisions are another player's, to be imitated.
    pub imitate: bool,
    /// Threads to compute on.
    pub threads: usize,
    /// Where tensors live.
    pub device: &'a Device,
}

/// What an iteration reports.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Metrics by name.
    pub metrics: Vec<(&'static str, f64)>,
    /// Advantages before normalisation, one per decision.
    pub advantages: Vec<f32>,
    /// Returns, one per decision.
    pub returns: Vec<f32>,
    /// Decisions that went through the network, all epochs together.
    pub samples: u64,
    /// Seconds spent copying minibatches, all threads together.
    pub gather: f64,
    /// Seconds spent in the network and the loss, all threads together.
    pub network: f64,
    /// Seconds spent in the optimiser.
    pub optimizer: f64,
}

/// The numbers of a network are no longer finite.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "training diverged: the gradient of optimiser step {step} is not finite; a lower learning rate may help"
)]
pub struct Diverged {
    /// The optimiser step, counted over the run.
    pub step: u64,
}

/// The names of all metrics that [`update`] reports, with a critic and a magnet or without.
pub fn metrics(critic: bool, magnet: bool) -> Vec<&'static str> {
    let mut names = vec![
        "loss/policy",
        "loss/value",
        "loss/gradient_norm",
        "policy/entropy",
        "policy/approx_kl",
        "policy/clip_fraction",
        "policy/learning_rate",
        "policy/entropy_weight",
        "policy/steps",
        "value/explained_variance",
        "value/return_mean",
        "value/advantage_deviation",
    ];
    if critic {
        names.extend(["loss/critic", "critic/explained_variance"]);
    }
    if magnet {
        names.push("policy/magnet");
    }
    names
}

/// Learns from a rollout.
///
/// # Errors
/// A gradient is not finite. The learner is then of no use.
pub fn update(learner: &mut Learner, decisions: &Decisions, step: &Step<'_>) -> Result<Report, Diverged> {
    let config = step.config;
    if let Some(magnet) = &mut learner.magnet
        && step.iteration.is_multiple_of(config.magnet_every)
    {
        magnet.clone_from(&learner.policy.weights);
    }
    let critic = learner.critic.as_ref().map(|part| critic_values(learner, part, decisions, step));
    let values = critic.as_ref().unwrap_or(&decisions.values);
    let advantages = advantages(decisions, values, config.lambda);
    let returns: Vec<f32> = advantages.iter().zip(values).map(|(a, v)| a + v).collect();
    let (mean, deviation) = moments(&advantages);
    let weights = match config.normalise_advantages {
        true => advantages.iter().map(|a| ((f64::from(*a) - mean) / (deviation + 1e-8)) as f32).collect(),
        false => advantages.clone(),
    };
    let (rate, entropy) = (config.learning_rate.at(step.progress), config.entropy.at(step.progress));
    let task = Task {
        decisions,
        weights: &weights,
        returns: &returns,
        config,
        entropy,
        imitate: step.imitate,
        device: step.device,
    };
    let mut report = Report::default();
    let (mut sums, mut steps, mut norms) = (Sums::default(), 0u64, 0.0);
    let count = (decisions.len() as f64 / config.minibatch as f64).round().max(1.0) as usize;
    'epochs: for epoch in 0..config.epochs {
        let mut order: Vec<u32> = (0..decisions.len() as u32).collect();
        let seed = streams::seed(step.seed, Purpose::Order, &[step.iteration, epoch as u64]);
        Draw::new(seed, 0).shuffle(&mut order);
        for minibatch in 0..count {
            let ids = part(&order, minibatch, count);
            let shards = in_order(step.threads, config.shards, |shard| {
                task.gradients(learner, part(ids, shard, config.shards), ids.len())
            });
            let start = Instant::now();
            let (mut gradient, mut of_critic, mut now) = (Vec::new(), Vec::new(), Sums::default());
            for shard in shards {
                accumulate(&mut gradient, shard.policy);
                accumulate(&mut of_critic, shard.critic);
                now.add(&shard.sums);
                report.gather += shard.gather;
                report.network += shard.network;
            }
            norms += descend(&mut learner.policy, config, rate, &mut gradient)?;
            if let Some(critic) = &mut learner.critic {
                descend(critic, config, rate, &mut of_critic)?;
            }
            report.optimizer += start.elapsed().as_secs_f64();
            report.samples += ids.len() as u64;
            steps += 1;
            sums.add(&now);
            if config.target_kl > 0.0 && now.kl / ids.len() as f64 > f64::from(config.target_kl) {
                break 'epochs;
            }
        }
    }
    let samples = report.samples.max(1) as f64;
    report.metrics = vec![
        ("loss/policy", sums.policy / samples),
        ("loss/value", sums.value / samples),
        ("loss/gradient_norm", norms / steps.max(1) as f64),
        ("policy/entropy", sums.entropy / samples),
        ("policy/approx_kl", sums.kl / samples),
        ("policy/clip_fraction", sums.clipped / samples),
        ("policy/learning_rate", f64::from(rate)),
        ("policy/entropy_weight", f64::from(entropy)),
        ("policy/steps", steps as f64),
        ("value/explained_variance", explained(&decisions.values, &returns)),
        ("value/return_mean", moments(&returns).0),
        ("value/advantage_deviation", deviation),
    ];
    if let Some(values) = &critic {
        report.metrics.push(("loss/critic", sums.critic / samples));
        report.metrics.push(("critic/explained_variance", explained(values, &returns)));
    }
    if learner.magnet.is_some() {
        report.metrics.push(("policy/magnet", sums.magnet / samples));
    }
    (report.advantages, report.returns) = (advantages, returns);
    Ok(report)
}

/// Part `number` of `count` parts of nearly equal length.
fn part<T>(items: &[T], number: usize, count: usize) -> &[T] {
    &items[items.len() * number / count..items.len() * (number + 1) / count]
}

fn accumulate(sum: &mut Vec<f32>, more: Vec<f32>) {
    if sum.is_empty() {
        *sum = more;
    } else {
        sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
}

/// One optimiser step; the length of the gradient before clipping.
fn descend(part: &mut Part, config: &PpoConfig, rate: f32, gradient: &mut [f32]) -> Result<f64, Diverged> {
    let norm = clip(gradient, config.gradient_norm);
    if !norm.is_finite() {
        return Err(Diverged { step: part.adam.steps + 1 });
    }
    let adam = AdamConfig { beta1: config.beta1, beta2: config.beta2, epsilon: config.epsilon };
    part.adam.step(adam, rate, gradient, &mut part.weights);
    Ok(norm)
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

/// What the critic expects of every decision.
fn critic_values(learner: &Learner, critic: &Part, decisions: &Decisions, step: &Step<'_>) -> Vec<f32> {
    /// Rows per forward pass: enough to keep the matrix product busy, few enough for the cache.
    const ROWS: usize = 1024;
    let ids: Vec<u32> = (0..decisions.len() as u32).collect();
    let chunks: Vec<&[u32]> = ids.chunks(ROWS).collect();
    let values = in_order(step.threads, chunks.len(), |chunk| {
        let rows = learner.inputs(decisions, chunks[chunk], true);
        let inputs =
            Tensor::from_data(TensorData::new(rows, [chunks[chunk].len(), critic.shape.inputs]), step.device);
        Layers::new(&critic.shape, &critic.weights, step.device).forward(inputs).pop().map_or(vec![], numbers)
    });
    values.concat()
}
#[cfg(test)]
mod tests;
