//! Proximal policy optimization over legal actions (Schulman et al. 2017), for self-play.
//!
//! One network learns from every decision of the learner, in all seats. Advantages follow each seat's own decisions
//! ([`advantages`]). `Objective::loss` is the loss; burn differentiates it. With [`DistillConfig`] the policy also learns
//! the moves of the endgame solver.

mod distill;

use std::borrow::Cow;

use burn::tensor::Tensor;
use cardsharp_bot::file::Outputs;
use cardsharp_bot::run_record::metric;
use cardsharp_document::{FieldError, expect};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::descent::{Descent, EarlyStop, LossSums, check_rate, critic_values};
use super::{Algorithm, Schedule, UpdateContext, UpdateError, UpdateReport, advantages, explained, moments};
use crate::learner::Learner;
use crate::nn::ops::{exp, ln};
use crate::nn::{Loss, Minibatch, OutputSet, Rows, huber};
use crate::optimizer::{AdamConfig, OptimizerName};
use crate::rollout::{Acting, Decisions, Discounts, DistillTargets};

pub use distill::DistillConfig;

/// Proximal policy optimization with these settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ppo {
    /// Settings of proximal policy optimization.
    pub config: PpoConfig,
    /// Settings of distillation from the endgame solver.
    pub distill: DistillConfig,
}

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

impl Algorithm for Ppo {
    fn name(&self) -> &'static str {
        "ppo"
    }

    fn outputs(&self) -> Outputs {
        Outputs::Logits
    }

    fn discounts(&self) -> Discounts {
        Discounts { gamma: self.config.gamma, round_gamma: self.config.round_gamma }
    }

    fn acting(&self, _progress: f32) -> Acting {
        Acting::Sample
    }

    fn imitated(&self) -> u64 {
        self.config.imitation_iterations
    }

    fn has_reference_policy(&self) -> bool {
        self.config.reference_policy > 0.0
    }

    fn distills(&self) -> bool {
        self.distill.weight > 0.0
    }

    fn metrics(&self, critic: bool) -> Vec<&'static str> {
        let mut names = vec![
            metric::POLICY_LOSS.name,
            metric::VALUE_LOSS.name,
            metric::GRADIENT_NORM.name,
            metric::ENTROPY.name,
            metric::APPROX_KL.name,
            metric::CLIP_FRACTION.name,
            metric::LEARNING_RATE.name,
            metric::ENTROPY_WEIGHT.name,
            metric::STEPS.name,
            metric::EXPLAINED_VARIANCE.name,
            metric::RETURN_MEAN.name,
            metric::ADVANTAGE_DEVIATION.name,
        ];
        if critic {
            names.extend([metric::CRITIC_LOSS.name, metric::CRITIC_EXPLAINED_VARIANCE.name]);
        }
        if self.has_reference_policy() {
            names.push(metric::REFERENCE_KL.name);
        }
        if self.config.has_uniform_kl() {
            names.push(metric::UNIFORM_KL.name);
        }
        if self.distills() {
            names.extend([metric::NEW_TARGETS.name, metric::BUFFER_SIZE.name, metric::DIVERGENCE.name]);
        }
        names
    }

    fn update(
        &self,
        learner: &mut Learner,
        decisions: &Decisions,
        step: &UpdateContext<'_>,
    ) -> Result<UpdateReport, UpdateError> {
        let Self { config, distill } = self;
        let sample = self.distills().then(|| distill.sample(learner, decisions.len(), step));
        if let Some(reference) = &mut learner.reference_policy
            && step.iteration.is_multiple_of(config.reference_policy_every)
        {
            reference.clone_from(&learner.policy.weights);
        }
        let critic = critic_values(learner, decisions, step)?;
        let values = critic.as_ref().unwrap_or(&decisions.values);
        let advantages = advantages(decisions, values, config.gae_lambda);
        let returns: Vec<f32> = advantages.iter().zip(values).map(|(a, v)| a + v).collect();
        let (mean, deviation) = moments(&advantages);
        let mut weights: Vec<f32> = match config.normalize_advantages {
            true => advantages.iter().map(|a| ((f64::from(*a) - mean) / (deviation + 1e-8)) as f32).collect(),
            false => advantages.clone(),
        };
        let entropy = config.entropy.at(step.progress);
        // Distillation targets come after the rollout's own decisions.
        let (mut all, mut value_target) = (Cow::Borrowed(decisions), Cow::Borrowed(&returns[..]));
        let none = DistillTargets::default();
        let targets = sample.as_ref().map_or(&none, |sample| &sample.targets);
        if !targets.is_empty() {
            all.to_mut().append(&targets.decisions);
            value_target.to_mut().extend_from_slice(&targets.decisions.rewards);
            weights.resize(all.len(), 0.0);
        }
        let [is_own, certainty] = columns_of(&all, decisions.len(), &targets.probabilities);
        let objective = Objective {
            config,
            entropy,
            uniform_kl: config.uniform_kl.at(step.progress),
            distill: distill.weight,
            imitate: step.imitate,
        };
        let descent = config.descent(step.progress);
        let far = |now: &LossSums, size: usize| now.get("kl") / size as f64 > f64::from(config.target_kl);
        let early_stop: EarlyStop<'_> = if config.target_kl > 0.0 { Some(&far) } else { None };
        let mut report = UpdateReport::default();
        let rows = Rows {
            decisions: &all,
            columns: &[&all.log_probability, &weights, &value_target, &is_own, &certainty],
            targets: &targets.probabilities,
            outputs: OutputSet::Legal,
        };
        let loss = |batch| objective.loss(batch);
        let stats = descent.run(learner, rows, step, &mut report, loss, early_stop)?;
        let sums = stats.sums;
        let samples = (report.samples as f64 - sums.get("targets")).max(1.0);
        report.metrics = vec![
            (metric::POLICY_LOSS.name, sums.get("policy") / samples),
            (metric::VALUE_LOSS.name, sums.get("value") / report.samples.max(1) as f64),
            (metric::GRADIENT_NORM.name, stats.norms / stats.steps.max(1) as f64),
            (metric::ENTROPY.name, sums.get("entropy") / samples),
            (metric::APPROX_KL.name, sums.get("kl") / samples),
            (metric::CLIP_FRACTION.name, sums.get("clipped") / samples),
            (metric::LEARNING_RATE.name, f64::from(descent.rate)),
            (metric::ENTROPY_WEIGHT.name, f64::from(entropy)),
            (metric::STEPS.name, stats.steps as f64),
            (metric::EXPLAINED_VARIANCE.name, explained(&decisions.values, &returns)),
            (metric::RETURN_MEAN.name, moments(&returns).0),
            (metric::ADVANTAGE_DEVIATION.name, deviation),
        ];
        if let Some(values) = &critic {
            report
                .metrics
                .push((metric::CRITIC_LOSS.name, sums.get("critic") / report.samples.max(1) as f64));
            report.metrics.push((metric::CRITIC_EXPLAINED_VARIANCE.name, explained(values, &returns)));
        }
        if learner.reference_policy.is_some() {
            report.metrics.push((metric::REFERENCE_KL.name, sums.get("reference_kl") / samples));
        }
        if config.has_uniform_kl() {
            report.metrics.push((metric::UNIFORM_KL.name, sums.get("uniform_kl") / samples));
        }
        if let Some(sample) = &sample {
            report.metrics.extend([
                (metric::NEW_TARGETS.name, sample.new as f64),
                (metric::BUFFER_SIZE.name, sample.buffer_size as f64),
                (metric::DIVERGENCE.name, sums.get("distill") / sums.get("targets").max(1.0)),
            ]);
        }
        (report.advantages, report.returns) = (advantages, returns);
        Ok(report)
    }
}

/// Returns two columns: 1 for the rollout's own decisions and 0 for those with a target; and `Σ t ln t` of each target
/// `t`.
fn columns_of(all: &Decisions, own: usize, targets: &[f32]) -> [Vec<f32>; 2] {
    let mut columns = [vec![1.0; all.len()], vec![0.0; all.len()]];
    columns[0][own..].fill(0.0);
    let count = all.len() - own;
    for (number, target) in targets.chunks_exact(targets.len().max(1) / count.max(1)).enumerate() {
        let terms = target.iter().filter(|&&t| t > 0.0).map(|&t| t * libm::logf(t));
        columns[1][own + number] = terms.sum();
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
    /// Weight of the distillation targets.
    distill: f32,
    /// Whether to raise the probability of every action that was played, and do nothing else.
    imitate: bool,
}

impl Objective<'_> {
    /// The loss of decisions. To imitate, it is `− ln π(a)`. To improve, it is
    /// `− min(r A, clip(r) A) − e H + m KL(π ‖ ρ) + s KL(u ‖ π)` with the ratio `r = π(a) / π_old(a)`, the advantage
    /// `A` and the entropy `H`. `ρ` is the reference policy, `u` the uniform policy.
    ///
    /// The loss of a decision with a target `t` is `KL(t ‖ π)`. The squared errors of the values are added to every
    /// loss.
    fn loss(&self, batch: Minibatch) -> Loss {
        let Minibatch { logits, value, reference, critic, played, columns, targets } = batch;
        let [before, weight, value_target, is_own, certainty] = &columns[..] else {
            unreachable!("five columns")
        };
        let (config, zero) = (self.config, || value_target.zeros_like());
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
        let distill = targets.clone().map(|targets| certainty.clone() - (targets * log).sum());
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
        loss = distill.iter().fold(loss, |loss, distill| loss + distill.clone().mul_scalar(self.distill));
        let value = huber(value - value_target.clone(), config.value_huber);
        let critic = critic.map(|critic| huber(critic - value_target.clone(), config.value_huber));
        let values = critic.iter().fold(value.clone(), |value, critic| value + critic.clone());
        let (ratio, moved) = (ratio.inner(), moved.inner());
        let left = ratio.clone().sub_scalar(1.0);
        let clipped = left.clone().abs().greater_elem(config.clip).float();
        let with_target = targets.is_some().then(|| is_own.clone().neg().add_scalar(1.0));
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
            ("distill", distill),
            ("targets", with_target),
        ];
        parts.extend(more.into_iter().filter_map(|(name, part)| Some((name, part?))));
        Loss { each: loss + values.mul_scalar(config.value_weight), parts }
    }
}

#[cfg(test)]
mod tests;
