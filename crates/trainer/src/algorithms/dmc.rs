//! Deep Monte Carlo (DouZero: Zha et al. 2021), for self-play.
//!
//! The network's output for an action is the return that the seat expects after that action: `Q(s, a)`. It is regressed
//! on the actual return, to the end of the rounds that the discounts let count, without bootstrapping. Rollouts are
//! ε-greedy: they take the action with the highest output, or with probability `exploration` a uniformly random legal
//! one. So the outputs are values of the learner's own play, and they improve as that play does.
//!
//! It finds no mixed strategies: where an equilibrium bluffs with some probability, it always bluffs or never. A value
//! head learns the same returns without the action as input.

use cardsharp_bot::file::Outputs;
use cardsharp_bot::run_record::metric;
use cardsharp_document::{FieldError, expect};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::descent::{Descent, check_rate};
use super::{Algorithm, Schedule, UpdateContext, UpdateError, UpdateReport, advantages, explained, moments};
use crate::learner::Learner;
use crate::nn::{Loss, Minibatch, OutputSet, Rows, huber};
use crate::optimizer::{AdamConfig, OptimizerName};
use crate::rollout::{Acting, Decisions, Discounts};

/// `[dmc]`: settings of deep Monte Carlo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DmcConfig {
    /// Probability of a uniformly random legal action in rollouts, 0 to 1. Otherwise the action with the highest value
    /// is played.
    pub exploration: Schedule,
    /// Learning rate of Adam, above 0 and at most 0.1.
    pub learning_rate: Schedule,
    /// Weight of the value head's loss, 0 to 10.
    pub value_weight: f32,
    /// Huber threshold of both losses, as an error of the return, at least 0. Larger errors count linearly instead of
    /// quadratically; 0 means squared error.
    pub huber: f32,
    /// Passes over each rollout, 1 to 100.
    pub epochs: usize,
    /// Decisions per optimizer step, at least 1. Each rollout is split into equal minibatches of about this size.
    pub minibatch: usize,
    /// Parts of a minibatch that are computed in parallel, 1 to 64. The result depends on this number, not on the
    /// number of threads.
    pub shards: usize,
    /// Maximum L2 norm of the gradient over all weights, above 0. Longer gradients are scaled down.
    pub max_grad_norm: f32,
    /// Discount factor from a decision to the next decision of the same seat in the round, 0 to 1.
    pub gamma: f32,
    /// Discount factor from one round to the next, 0 to 1. At 0, rewards of later rounds do not count.
    pub round_gamma: f32,
    /// Decay rate of Adam's first moment estimate, 0 to below 1.
    pub beta1: f32,
    /// Decay rate of Adam's second moment estimate, 0 to below 1.
    pub beta2: f32,
    /// Constant in the denominator of Adam's step, for numerical stability; 1e-12 to below 1.
    pub adam_epsilon: f32,
    /// The optimizer: `adam`, `adamw` (Adam with decoupled weight decay) or `rmsprop` (without momentum: `beta1` has
    /// no influence, `beta2` is its smoothing constant). DouZero uses `rmsprop` with `beta2 = 0.99` and
    /// `learning_rate = 1e-4`.
    pub optimizer: OptimizerName,
    /// Weight decay of `adamw`: a step multiplies each weight by 1 minus the learning rate times this; 0 to below 1.
    /// With the other optimizers it must be 0.
    pub weight_decay: f32,
}

impl Default for DmcConfig {
    fn default() -> Self {
        Self {
            exploration: Schedule::constant(0.01),
            learning_rate: Schedule::linear(1e-3, 5e-5),
            value_weight: 0.5,
            huber: 0.0,
            epochs: 1,
            minibatch: 1024,
            shards: 2,
            max_grad_norm: 5.0,
            gamma: 1.0,
            round_gamma: 0.0,
            beta1: 0.9,
            beta2: 0.999,
            adam_epsilon: 1e-5,
            optimizer: OptimizerName::Adam,
            weight_decay: 0.0,
        }
    }
}

impl DmcConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        check_rate(self.learning_rate)?;
        let (share, expected) = (|share: f32| (0.0..=1.0).contains(&share), "expected a number from 0 to 1");
        self.exploration.check("exploration", share, expected)?;
        for (field, given) in [("gamma", self.gamma), ("round_gamma", self.round_gamma)] {
            expect(share(given), field, given, expected)?;
        }
        let weight = (0.0..=10.0).contains(&self.value_weight);
        expect(weight, "value_weight", self.value_weight, "expected a number from 0 to 10")?;
        let bound = self.huber >= 0.0 && self.huber.is_finite();
        expect(bound, "huber", self.huber, "expected a number of at least 0")?;
        self.descent(0.0).check()
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

impl Algorithm for DmcConfig {
    fn name(&self) -> &'static str {
        "dmc"
    }

    fn outputs(&self) -> Outputs {
        Outputs::ActionValues
    }

    fn discounts(&self) -> Discounts {
        Discounts { gamma: self.gamma, round_gamma: self.round_gamma }
    }

    fn acting(&self, progress: f32) -> Acting {
        Acting::Greedy { explore: self.exploration.at(progress) }
    }

    fn metrics(&self, _critic: bool) -> Vec<&'static str> {
        vec![
            metric::ACTION_LOSS.name,
            metric::VALUE_LOSS.name,
            metric::GRADIENT_NORM.name,
            metric::EXPLORATION.name,
            metric::LEARNING_RATE.name,
            metric::STEPS.name,
            metric::ACTION_EXPLAINED_VARIANCE.name,
            metric::EXPLAINED_VARIANCE.name,
            metric::RETURN_MEAN.name,
            metric::RETURN_DEVIATION.name,
        ]
    }

    fn update(
        &self,
        learner: &mut Learner,
        decisions: &Decisions,
        step: &UpdateContext<'_>,
    ) -> Result<UpdateReport, UpdateError> {
        let returns = advantages(decisions, &vec![0.0; decisions.len()], 1.0);
        let descent = self.descent(step.progress);
        let mut report = UpdateReport::default();
        let rows = Rows { decisions, columns: &[&returns], targets: &[], outputs: OutputSet::Played };
        let loss = |batch| self.loss(batch);
        let stats = descent.run(learner, rows, step, &mut report, loss, None)?;
        let (sums, samples) = (stats.sums, report.samples.max(1) as f64);
        let (mean, deviation) = moments(&returns);
        let left = sums.get("square") / samples;
        let foretold = if deviation > 0.0 { 1.0 - left / (deviation * deviation) } else { 0.0 };
        report.metrics = vec![
            (metric::ACTION_LOSS.name, sums.get("action") / samples),
            (metric::VALUE_LOSS.name, sums.get("value") / samples),
            (metric::GRADIENT_NORM.name, stats.norms / stats.steps.max(1) as f64),
            (metric::EXPLORATION.name, f64::from(self.exploration.at(step.progress))),
            (metric::LEARNING_RATE.name, f64::from(descent.rate)),
            (metric::STEPS.name, stats.steps as f64),
            (metric::ACTION_EXPLAINED_VARIANCE.name, foretold),
            (metric::EXPLAINED_VARIANCE.name, explained(&decisions.values, &returns)),
            (metric::RETURN_MEAN.name, mean),
            (metric::RETURN_DEVIATION.name, deviation),
        ];
        report.advantages = returns.iter().zip(&decisions.values).map(|(r, v)| r - v).collect();
        report.returns = returns;
        Ok(report)
    }
}

impl DmcConfig {
    /// The loss of decisions: the errors of the played actions' outputs and of the values.
    fn loss(&self, batch: Minibatch) -> Loss {
        let value_target = &batch.columns[0];
        let errors = batch.logits.at(&batch.played) - value_target.clone();
        let action = huber(errors.clone(), self.huber);
        let value = huber(batch.value - value_target.clone(), self.huber);
        let square = errors.clone().inner() * errors.inner();
        Loss {
            each: action.clone() + value.clone().mul_scalar(self.value_weight),
            parts: vec![("action", action), ("value", value), ("square", square)],
        }
    }
}

#[cfg(test)]
mod tests;
