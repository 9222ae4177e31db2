//! Proximal policy optimization over legal actions (Schulman et al. 2017), for self-play.
//!
//! One network learns from every decision of the learner, in all seats. Advantages follow each seat's own decisions
//! ([`advantages`]). `Objective::loss` is the loss; burn differentiates it.
//!
//! | metric | meaning |
//! |---|---|
//! | `loss/policy` | mean of the clipped objective, negated; during imitation the mean cross-entropy in nats, which falls to 0 |
//! | `loss/value` | half the mean squared error of the value head, linear beyond `value_huber` |
//! | `loss/critic` | the same for the critic that sees all hands, if there is one |
//! | `loss/gradient_norm` | mean L2 norm of the policy network's gradient before clipping |
//! | `policy/reference_kl` | mean KL(π ‖ reference policy) in nats, with `reference_policy` above 0 |
//! | `policy/uniform_kl` | mean KL(uniform ‖ π) in nats, with `uniform_kl` above 0: large where actions have very low probabilities |
//! | `policy/entropy` | mean entropy in nats over legal actions: 0 is a deterministic policy |
//! | `policy/approx_kl` | how far the policy moved within the iteration, as (r − 1) − ln r; above 0.05 is a lot |
//! | `policy/clip_fraction` | share of decisions whose ratio r left 1 ± `clip`; 0.05 to 0.3 is usual |
//! | `policy/learning_rate`, `policy/entropy_weight` | values of the schedules |
//! | `policy/steps` | optimizer steps of the iteration: fewer than planned if `target_kl` ended it |
//! | `value/explained_variance` | 1 if values predict returns perfectly, 0 if no better than their mean |
//! | `critic/explained_variance` | the same for the critic |
//! | `value/return_mean`, `value/advantage_deviation` | of the rollout, before normalization |

use std::borrow::Cow;

use burn::tensor::Tensor;
use cardsharp_bot::file::Outputs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::descent::{Descent, Enough, Sums, check_rate, critic_values};
use super::{Algorithm, Report, Schedule, Step, UpdateError, advantages, explained, moments};
use crate::fields::{FieldError, expect};
use crate::learner::Learner;
use crate::nn::ops::{exp, ln};
use crate::nn::{Batch, Loss, Rows, Wanted, miss};
use crate::optimizer::{AdamConfig, OptimizerName};
use crate::rollout::{Acting, Decisions, Discounts, Lessons};

/// `[ppo]`: settings of proximal policy optimization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PpoConfig {
    /// Iterations of imitation before self-play, 0 to 10000000. The scripted player plays all seats; the policy learns
    /// its actions (cross-entropy) and the value head its returns.
    pub imitation_iterations: u64,
    /// Learning rate of Adam, above 0 and at most 0.1.
    pub learning_rate: Schedule,
    /// Weight of the entropy bonus, 0 to 1. Games with hidden information often need ten times the usual weight, 0.05
    /// and more at the start.
    pub entropy: Schedule,
    /// Weight of KL(π ‖ ρ) in the loss, 0 to 10, where the reference policy ρ is an earlier copy of the policy; 0
    /// disables it. It keeps self-play from cycling (magnetic mirror descent, Sokota et al. 2023).
    pub reference_policy: f32,
    /// Iterations after which the current policy becomes the reference policy, at least 1.
    pub reference_policy_every: u64,
    /// Weight of KL(uniform ‖ π) over the legal actions in the loss, 0 to 10; 0 disables it. Unlike the entropy bonus,
    /// it keeps every action from dropping to probability 0. In Leduc poker, a hundredth of the largest reward works
    /// well.
    pub uniform_kl: Schedule,
    /// Weight of the value loss, 0 to 10.
    pub value_weight: f32,
    /// Huber threshold of the value loss, as an error of the return, at least 0; 0 means squared error. Larger errors
    /// count linearly instead of quadratically, so that rare large scores do not dominate the gradient.
    pub value_huber: f32,
    /// Clip range: how far the probability ratio may move from 1 before its gradient stops, above 0 and below 1.
    pub clip: f32,
    /// Passes over each rollout, 1 to 100.
    pub epochs: usize,
    /// Decisions per optimizer step, at least 1. Each rollout is split into equal minibatches of about this size.
    pub minibatch: usize,
    /// Parts of a minibatch that are computed in parallel, 1 to 64. The result depends on this number, not on the
    /// number of threads.
    pub shards: usize,
    /// Maximum L2 norm of each network's gradient, above 0. Longer gradients are scaled down.
    pub max_grad_norm: f32,
    /// Discount factor from a decision to the next decision of the same seat in the round, 0 to 1.
    pub gamma: f32,
    /// Discount factor from one round to the next, 0 to 1. At 0, rewards of later rounds do not count.
    pub round_gamma: f32,
    /// λ of generalized advantage estimation (GAE), 0 to 1.
    pub gae_lambda: f32,
    /// Whether to normalize the advantages of each rollout to mean 0 and standard deviation 1.
    pub normalize_advantages: bool,
    /// Approximate KL divergence from the policy that played the rollout, at least 0. Above it, the update of the
    /// iteration stops early; 0 disables this.
    pub target_kl: f32,
    /// Decay rate of Adam's first moment estimate, 0 to below 1.
    pub beta1: f32,
    /// Decay rate of Adam's second moment estimate, 0 to below 1.
    pub beta2: f32,
    /// Constant in the denominator of Adam's step, for numerical stability; 1e-12 to below 1.
    pub adam_epsilon: f32,
    /// The optimizer: `adam`, `adamw` (Adam with decoupled weight decay) or `rmsprop` (without momentum: `beta1` has
    /// no influence, `beta2` is its smoothing constant).
    pub optimizer: OptimizerName,
    /// Weight decay of `adamw`: a step multiplies each weight by 1 minus the learning rate times this; 0 to below 1.
    /// With the other optimizers it must be 0.
    pub weight_decay: f32,
}

impl Default for PpoConfig {
    fn default() -> Self {
        Self {
            imitation_iterations: 0,
            learning_rate: Schedule::linear(5e-4, 5e-5),
            entropy: Schedule::linear(0.03, 0.005),
            reference_policy: 0.0,
            reference_policy_every: 50,
            uniform_kl: Schedule::constant(0.0),
            value_weight: 0.5,
            value_huber: 0.0,
            clip: 0.2,
            epochs: 3,
            minibatch: 2048,
            shards: 2,
            max_grad_norm: 0.5,
            gamma: 1.0,
            round_gamma: 0.0,
            gae_lambda: 0.95,
            normalize_advantages: true,
            target_kl: 0.0,
            beta1: 0.9,
            beta2: 0.999,
            adam_epsilon: 1e-5,
            optimizer: OptimizerName::Adam,
            weight_decay: 0.0,
        }
    }
}

impl PpoConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        expect(
            self.imitation_iterations <= 10_000_000,
            "imitation_iterations",
            self.imitation_iterations,
            "expected 0 to 10000000",
        )?;
        check_rate(self.learning_rate)?;
        let (share, expected) = (|share: f32| (0.0..=1.0).contains(&share), "expected a number from 0 to 1");
        self.entropy.check("entropy", share, expected)?;
        for (field, given) in
            [("gamma", self.gamma), ("round_gamma", self.round_gamma), ("gae_lambda", self.gae_lambda)]
        {
            expect(share(given), field, given, expected)?;
        }
        expect(
            self.reference_policy_every >= 1,
            "reference_policy_every",
            self.reference_policy_every,
            "expected at least 1",
        )?;
        let (weight, expected) =
            (|weight: f32| (0.0..=10.0).contains(&weight), "expected a number from 0 to 10");
        expect(weight(self.reference_policy), "reference_policy", self.reference_policy, expected)?;
        self.uniform_kl.check("uniform_kl", weight, expected)?;
        expect(weight(self.value_weight), "value_weight", self.value_weight, expected)?;
        let bound = self.value_huber >= 0.0 && self.value_huber.is_finite();
        expect(bound, "value_huber", self.value_huber, "expected a number of at least 0")?;
        expect(
            self.clip > 0.0 && self.clip < 1.0,
            "clip",
            self.clip,
            "expected a number above 0 and below 1",
        )?;
        let kl = self.target_kl >= 0.0 && self.target_kl.is_finite();
        expect(kl, "target_kl", self.target_kl, "expected a number of at least 0")?;
        self.descent(0.0).check()
    }

    /// Whether `uniform_kl` is above 0 at any time.
    fn has_uniform_kl(&self) -> bool {
        self.uniform_kl.from > 0.0 || self.uniform_kl.to > 0.0
    }

    /// Returns the settings of gradient descent in an iteration; `progress` is 0 in the first, 1 in the last iteration.
    fn descent(&self, progress: f32) -> Descent {
        Descent {
            epochs: self.epochs,
            minibatch: self.minibatch,
            shards: self.shards,
            rate: self.learning_rate.at(progress),
            gradient_norm: self.max_grad_norm,
            adam: AdamConfig {
                optimizer: self.optimizer,
                weight_decay: self.weight_decay,
                beta1: self.beta1,
                beta2: self.beta2,
                epsilon: self.adam_epsilon,
            },
        }
    }
}

impl Algorithm for PpoConfig {
    fn name(&self) -> &'static str {
        "ppo"
    }

    fn outputs(&self) -> Outputs {
        Outputs::Logits
    }

    fn discounts(&self) -> Discounts {
        Discounts { gamma: self.gamma, round_gamma: self.round_gamma }
    }

    fn acting(&self, _progress: f32) -> Acting {
        Acting::Sample
    }

    fn imitated(&self) -> u64 {
        self.imitation_iterations
    }

    fn has_reference_policy(&self) -> bool {
        self.reference_policy > 0.0
    }

    fn metrics(&self, critic: bool) -> Vec<&'static str> {
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
        if self.has_reference_policy() {
            names.push("policy/reference_kl");
        }
        if self.has_uniform_kl() {
            names.push("policy/uniform_kl");
        }
        names
    }

    fn update(
        &self,
        learner: &mut Learner,
        decisions: &Decisions,
        step: &Step<'_>,
    ) -> Result<Report, UpdateError> {
        Ok(self.learn(learner, decisions, None, step)?.0)
    }
}

/// Distillation targets to learn in addition to a rollout.
#[derive(Copy, Clone)]
pub(super) struct Taught<'a> {
    /// The settled lessons ([`Lessons::settled`]).
    pub(super) lessons: &'a Lessons,
    /// Weight of a lesson's loss.
    pub(super) weight: f32,
    /// Weight of the objective on the rollout's own decisions.
    pub(super) ppo: f32,
}

impl PpoConfig {
    /// As [`Algorithm::update`], with lessons in addition to the rollout. Also returns the mean KL(target ‖ π) of the
    /// lessons, in nats.
    pub(super) fn learn(
        &self,
        learner: &mut Learner,
        decisions: &Decisions,
        taught: Option<Taught<'_>>,
        step: &Step<'_>,
    ) -> Result<(Report, f64), UpdateError> {
        if let Some(reference) = &mut learner.reference_policy
            && step.iteration.is_multiple_of(self.reference_policy_every)
        {
            reference.clone_from(&learner.policy.weights);
        }
        let critic = critic_values(learner, decisions, step)?;
        let values = critic.as_ref().unwrap_or(&decisions.values);
        let advantages = advantages(decisions, values, self.gae_lambda);
        let returns: Vec<f32> = advantages.iter().zip(values).map(|(a, v)| a + v).collect();
        let (mean, deviation) = moments(&advantages);
        let mut weights: Vec<f32> = match self.normalize_advantages {
            true => advantages.iter().map(|a| ((f64::from(*a) - mean) / (deviation + 1e-8)) as f32).collect(),
            false => advantages.clone(),
        };
        let entropy = self.entropy.at(step.progress);
        // Lessons come after the rollout's own decisions.
        let (mut all, mut wanted) = (Cow::Borrowed(decisions), Cow::Borrowed(&returns[..]));
        if let Some(Taught { lessons, ppo, .. }) = taught {
            weights.iter_mut().for_each(|weight| *weight *= ppo);
            if !lessons.is_empty() {
                all.to_mut().append(&lessons.decisions);
                wanted.to_mut().extend_from_slice(&lessons.decisions.rewards);
                weights.resize(all.len(), 0.0);
            }
        }
        let targets = taught.map_or(&[][..], |taught| &taught.lessons.targets);
        let [own, certainty] = columns_of(&all, decisions.len(), targets);
        let objective = Objective {
            config: self,
            entropy,
            uniform_kl: self.uniform_kl.at(step.progress),
            lesson: taught.map_or(0.0, |taught| taught.weight),
            imitate: step.imitate,
        };
        let descent = self.descent(step.progress);
        let far = |now: &Sums, size: usize| now.get("kl") / size as f64 > f64::from(self.target_kl);
        let enough: Enough<'_> = if self.target_kl > 0.0 { Some(&far) } else { None };
        let mut report = Report::default();
        let rows = Rows {
            decisions: &all,
            columns: &[&all.log_probability, &weights, &wanted, &own, &certainty],
            targets,
            outputs: Wanted::Legal,
        };
        let loss = |batch| objective.loss(batch);
        let walked = descent.walk(learner, rows, step, &mut report, loss, enough)?;
        let sums = walked.sums;
        let samples = (report.samples as f64 - sums.get("lessons")).max(1.0);
        report.metrics = vec![
            ("loss/policy", sums.get("policy") / samples),
            ("loss/value", sums.get("value") / report.samples.max(1) as f64),
            ("loss/gradient_norm", walked.norms / walked.steps.max(1) as f64),
            ("policy/entropy", sums.get("entropy") / samples),
            ("policy/approx_kl", sums.get("kl") / samples),
            ("policy/clip_fraction", sums.get("clipped") / samples),
            ("policy/learning_rate", f64::from(descent.rate)),
            ("policy/entropy_weight", f64::from(entropy)),
            ("policy/steps", walked.steps as f64),
            ("value/explained_variance", explained(&decisions.values, &returns)),
            ("value/return_mean", moments(&returns).0),
            ("value/advantage_deviation", deviation),
        ];
        if let Some(values) = &critic {
            report.metrics.push(("loss/critic", sums.get("critic") / report.samples.max(1) as f64));
            report.metrics.push(("critic/explained_variance", explained(values, &returns)));
        }
        if learner.reference_policy.is_some() {
            report.metrics.push(("policy/reference_kl", sums.get("reference_kl") / samples));
        }
        if self.has_uniform_kl() {
            report.metrics.push(("policy/uniform_kl", sums.get("uniform_kl") / samples));
        }
        (report.advantages, report.returns) = (advantages, returns);
        Ok((report, sums.get("lesson") / sums.get("lessons").max(1.0)))
    }
}

/// Returns two columns: 1 for the rollout's own decisions and 0 for lessons; and `Σ t ln t` of each lesson's target
/// `t`.
fn columns_of(all: &Decisions, own: usize, targets: &[f32]) -> [Vec<f32>; 2] {
    let mut columns = [vec![1.0; all.len()], vec![0.0; all.len()]];
    columns[0][own..].fill(0.0);
    let lessons = all.len() - own;
    for (lesson, target) in targets.chunks_exact(targets.len().max(1) / lessons.max(1)).enumerate() {
        let terms = target.iter().filter(|&&t| t > 0.0).map(|&t| t * libm::logf(t));
        columns[1][own + lesson] = terms.sum();
    }
    columns
}

/// The loss and the weights of its terms.
struct Objective<'a> {
    config: &'a PpoConfig,
    /// Weight of the entropy.
    entropy: f32,
    /// Weight of the divergence from the uniform policy.
    uniform_kl: f32,
    /// Weight of the lessons.
    lesson: f32,
    /// Whether to raise the probability of every action that was played, and do nothing else.
    imitate: bool,
}

impl Objective<'_> {
    /// The loss of decisions. To imitate, it is `− ln π(a)`. To improve, it is
    /// `− min(r A, clip(r) A) − e H + m KL(π ‖ ρ) + s KL(u ‖ π)` with the ratio `r = π(a) / π_old(a)`, the advantage
    /// `A` and the entropy `H`. `ρ` is the reference policy, `u` the uniform policy.
    ///
    /// The loss of a lesson is `KL(t ‖ π)` with its target `t`. The squared errors of the values are added to every
    /// loss.
    fn loss(&self, batch: Batch) -> Loss {
        let Batch { logits, value, reference, critic, played, columns, targets } = batch;
        let [before, weight, wanted, is_own, certainty] = &columns[..] else { unreachable!("five columns") };
        let (config, zero) = (self.config, || wanted.zeros_like());
        let own = |each: Tensor<1>| if targets.is_some() { each * is_own.clone() } else { each };
        let log = logits.log_softmax();
        let log_played = log.clone().at(&played);
        let moved = log_played.clone() - before.clone();
        let ratio = exp(moved.clone());
        let probability = log.clone().exp();
        let entropy = own((probability.clone() * log.clone()).sum().neg());
        let reference_kl =
            reference.map(|reference| own((probability * (log.clone() - reference.log_softmax())).sum()));
        let uniform_kl = config.has_uniform_kl().then(|| {
            let count = log.count();
            own(log.clone().sum().neg() / count.clone() - ln(count))
        });
        let lesson = targets.clone().map(|targets| certainty.clone() - (targets * log).sum());
        let (policy, mut loss) = match self.imitate {
            true => {
                let policy = own(log_played.neg());
                (policy.clone(), policy)
            }
            false => {
                let bounded = ratio.clone().clamp(1.0 - config.clip, 1.0 + config.clip);
                let policy = own((ratio.clone() * weight.clone()).min_pair(bounded * weight.clone()).neg());
                let mut loss = policy.clone() - entropy.clone().mul_scalar(self.entropy);
                for (term, weight) in
                    [(&reference_kl, config.reference_policy), (&uniform_kl, self.uniform_kl)]
                {
                    loss = term.iter().fold(loss, |loss, term| loss + term.clone().mul_scalar(weight));
                }
                (policy, loss)
            }
        };
        loss = lesson.iter().fold(loss, |loss, lesson| loss + lesson.clone().mul_scalar(self.lesson));
        let value = miss(value - wanted.clone(), config.value_huber);
        let critic = critic.map(|critic| miss(critic - wanted.clone(), config.value_huber));
        let values = critic.iter().fold(value.clone(), |value, critic| value + critic.clone());
        let (ratio, moved) = (ratio.inner(), moved.inner());
        let left = ratio.clone().sub_scalar(1.0);
        let clipped = left.clone().abs().greater_elem(config.clip).float();
        let lessons = targets.is_some().then(|| is_own.clone().neg().add_scalar(1.0));
        let mut parts = vec![
            ("policy", policy),
            ("value", value),
            ("entropy", entropy),
            ("kl", own(left - moved)),
            ("clipped", if self.imitate { zero() } else { own(clipped) }),
        ];
        let more = [
            ("critic", critic),
            ("reference_kl", reference_kl),
            ("uniform_kl", uniform_kl),
            ("lesson", lesson),
            ("lessons", lessons),
        ];
        parts.extend(more.into_iter().filter_map(|(name, part)| Some((name, part?))));
        Loss { each: loss + values.mul_scalar(config.value_weight), parts }
    }
}

#[cfg(test)]
mod tests;
