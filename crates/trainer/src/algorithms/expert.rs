//! Expert iteration (Anthony, Tian, Barber 2017) with proximal policy optimization: `algorithm = "expert"`.
//!
//! In a share of sessions some seats search with the current policy (`league.search`, `league.searcher`). Each of their
//! decisions gives a distillation target: the policy's own probabilities, shifted by the gains that the search found
//! ([`crate::rollout::Lessons`]), and the return of the session. With `rollout.endgame_solver` each move of the solver
//! gives a target with certainty.
//!
//! A target of a search costs as much as hundreds of other decisions. So a replay buffer stores the latest
//! `buffer_size` targets, and each iteration samples from it in addition to the [PPO](super::ppo) objective on the
//! rollout. With `ppo_weight = 0` it trains on targets alone. The loss of a target is its cross-entropy with the
//! policy, plus the value loss.
//!
//! | metric | meaning |
//! |---|---|
//! | `distill/new`, `distill/buffer_size` | distillation targets in this rollout, and in the replay buffer |
//! | `distill/divergence` | mean KL(target ‖ π) in nats over the sampled targets: it falls as the policy learns them |
//! | all others | as in [PPO](super::ppo), over the rollout's own decisions |

use cardsharp_bot::file::Outputs;
use cardsharp_env::Draw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ppo::{PpoConfig, Taught};
use super::{Algorithm, Report, Step, UpdateError, advantages};
use crate::fields::{FieldError, expect};
use crate::learner::Learner;
use crate::rollout::{Acting, Decisions, Discounts, Teaching};
use crate::streams::{self, Purpose};

/// `[expert]`: settings of expert iteration; `[ppo]` has the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ExpertConfig {
    /// Weight of the PPO objective on the rollout's own decisions, 0 to 10. At 0 the policy learns only from
    /// distillation targets; the value head still learns from all decisions.
    pub ppo_weight: f32,
    /// Weight of the policy loss on distillation targets, 0 to 100. The weight of their value loss is
    /// `ppo.value_weight`.
    pub distill_weight: f32,
    /// Standard errors by which the gain or loss of a move must differ from 0 to change the target, 0 to 5. If no move
    /// passes, the target is the policy itself.
    pub gain_margin: f32,
    /// Distillation targets per decision of the rollout that an iteration draws from the replay buffer, above 0, at
    /// most 10.
    pub samples_per_decision: f32,
    /// Size of the replay buffer, in distillation targets, 1 to 1000000; the oldest are dropped. Every checkpoint
    /// contains the buffer, a few hundred bytes per target.
    pub buffer_size: usize,
}

impl Default for ExpertConfig {
    fn default() -> Self {
        Self {
            ppo_weight: 1.0,
            distill_weight: 2.0,
            gain_margin: 1.0,
            samples_per_decision: 0.25,
            buffer_size: 40_000,
        }
    }
}

impl ExpertConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        expect(
            (0.0..=10.0).contains(&self.ppo_weight),
            "ppo_weight",
            self.ppo_weight,
            "expected a number from 0 to 10",
        )?;
        expect(
            (0.0..=100.0).contains(&self.distill_weight),
            "distill_weight",
            self.distill_weight,
            "expected a number from 0 to 100",
        )?;
        expect(
            (0.0..=5.0).contains(&self.gain_margin),
            "gain_margin",
            self.gain_margin,
            "expected a number from 0 to 5",
        )?;
        let share = self.samples_per_decision > 0.0 && self.samples_per_decision <= 10.0;
        expect(
            share,
            "samples_per_decision",
            self.samples_per_decision,
            "expected a number above 0, at most 10",
        )?;
        expect(
            (1..=1_000_000).contains(&self.buffer_size),
            "buffer_size",
            self.buffer_size,
            "expected 1 to 1000000",
        )
    }
}

/// Expert iteration with these settings.
#[derive(Clone, Debug)]
pub struct Expert {
    /// Settings of distillation.
    pub config: ExpertConfig,
    /// Settings of PPO, for the rollout's own decisions.
    pub ppo: PpoConfig,
}

impl Algorithm for Expert {
    fn name(&self) -> &'static str {
        "expert"
    }

    fn outputs(&self) -> Outputs {
        self.ppo.outputs()
    }

    fn discounts(&self) -> Discounts {
        self.ppo.discounts()
    }

    fn acting(&self, progress: f32) -> Acting {
        self.ppo.acting(progress)
    }

    fn imitated(&self) -> u64 {
        self.ppo.imitated()
    }

    fn has_reference_policy(&self) -> bool {
        self.ppo.has_reference_policy()
    }

    fn teaching(&self) -> Option<Teaching> {
        Some(Teaching { gain_margin: self.config.gain_margin })
    }

    fn metrics(&self, critic: bool) -> Vec<&'static str> {
        let mut names = self.ppo.metrics(critic);
        names.extend(["distill/new", "distill/buffer_size", "distill/divergence"]);
        names
    }

    fn update(
        &self,
        learner: &mut Learner,
        decisions: &Decisions,
        step: &Step<'_>,
    ) -> Result<Report, UpdateError> {
        let new = step.lessons;
        let count = new.len();
        let kept = learner.lessons.get_or_insert_default();
        if count > 0 {
            let returns = advantages(&new.decisions, &vec![0.0; count], 1.0);
            kept.add(new.clone().settled(returns));
            kept.keep_last(self.config.buffer_size);
        }
        let wanted = match kept.len() {
            0 => 0,
            _ => (f64::from(self.config.samples_per_decision) * decisions.len() as f64).ceil() as usize,
        };
        let mut draw = Draw::new(streams::seed(step.seed, Purpose::Lessons, &[step.iteration]), 0);
        let size = kept.len();
        let lessons = kept.chosen((0..wanted).map(|_| draw.below(size as u32) as usize));
        let taught =
            Taught { lessons: &lessons, weight: self.config.distill_weight, ppo: self.config.ppo_weight };
        let (mut report, divergence) = self.ppo.learn(learner, decisions, Some(taught), step)?;
        report.metrics.extend([
            ("distill/new", count as f64),
            ("distill/buffer_size", size as f64),
            ("distill/divergence", divergence),
        ]);
        Ok(report)
    }
}

#[cfg(test)]
mod tests;
