//! Distillation from the endgame solver: the policy learns the solver's moves in addition to the PPO objective.
//!
//! With `rollout.endgame_solver` the solver plays endgames in some sessions. Each of its moves gives a target: the
//! policy's own probabilities, shifted towards that move ([`DistillTargets`]), and the return of the session. A replay
//! buffer stores the latest targets, and each iteration samples from it. The loss of a target is its divergence from
//! the policy, plus the value loss.

use cardsharp_document::{FieldError, expect};
use cardsharp_env::Draw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::algorithms::{UpdateContext, advantages};
use crate::learner::Learner;
use crate::rollout::DistillTargets;
use crate::streams::{self, StreamPurpose};

/// `[distill]`: settings of distillation from the endgame solver, with `ppo`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DistillConfig {
    /// Weight of the policy loss on distillation targets, 0 to 100; 0 means no distillation. The weight of their value
    /// loss is `ppo.value_weight`. Requires `rollout.endgame_solver` above 0, whose moves are the targets.
    pub weight: f32,
    /// Distillation targets per decision of the rollout that an iteration draws from the replay buffer, above 0, at
    /// most 10.
    pub samples_per_decision: f32,
    /// Size of the replay buffer, in distillation targets, 1 to 1000000; the oldest are dropped. Every checkpoint
    /// contains the buffer, a few hundred bytes per target.
    pub buffer_size: usize,
}

impl Default for DistillConfig {
    fn default() -> Self {
        Self { weight: 0.0, samples_per_decision: 0.25, buffer_size: 40_000 }
    }
}

/// Targets for an update.
pub(super) struct Sample {
    /// The sampled targets, each with its return.
    pub(super) targets: DistillTargets,
    /// Number of targets in the rollout.
    pub(super) new: usize,
    /// Number of targets in the replay buffer.
    pub(super) buffer_size: usize,
}

impl DistillConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        let weight = (0.0..=100.0).contains(&self.weight);
        expect(weight, "weight", self.weight, "expected a number from 0 to 100")?;
        let (samples, expected) = (self.samples_per_decision, "expected a number above 0, at most 10");
        expect(samples > 0.0 && samples <= 10.0, "samples_per_decision", samples, expected)?;
        let size = (1..=1_000_000).contains(&self.buffer_size);
        expect(size, "buffer_size", self.buffer_size, "expected 1 to 1000000")
    }

    /// Adds the targets of a rollout with `decisions` decisions to the replay buffer, then samples from it.
    pub(super) fn sample(&self, learner: &mut Learner, decisions: usize, step: &UpdateContext<'_>) -> Sample {
        let (new, buffer) = (step.distill, learner.replay_buffer.get_or_insert_default());
        if !new.is_empty() {
            let returns = advantages(&new.decisions, &vec![0.0; new.len()], 1.0);
            buffer.push(new.clone().with_returns(returns));
            buffer.truncate(self.buffer_size);
        }
        let buffer_size = buffer.len();
        let count = match buffer_size {
            0 => 0,
            _ => (f64::from(self.samples_per_decision) * decisions as f64).ceil() as usize,
        };
        let mut draw = Draw::new(streams::seed(step.seed, StreamPurpose::Distill, &[step.iteration]), 0);
        let targets = buffer.select((0..count).map(|_| draw.below(buffer_size as u32) as usize));
        Sample { targets, new: new.len(), buffer_size }
    }
}

#[cfg(test)]
mod tests;
