//! Expert iteration (Anthony, Tian, Barber 2017) beside proximal policy optimisation: `algorithm = "expert"`.
//!
//! In a share of the sessions some seats search with the policy of the hour (`league.searching`, `league.searcher`). Each of their
//! decisions is a lesson: the policy's own probabilities, moved as far as the search was sure ([`crate::rollout::Lessons`]), and
//! what came of the session. So is each move of an end that everybody plays exactly (`rollout.exact`), as one that is certain.
//! A lesson of a search costs as much as hundreds of other decisions, so the latest `kept` of them are kept, and in each
//! iteration some are learned from again, beside what [PPO](super::ppo) makes of the rollout or, with `ppo = 0`, alone. The
//! loss of a lesson is the cross-entropy with its target, and that of the value.
//!
//! | metric | what it tells |
//! |---|---|
//! | `lesson/new`, `lesson/kept` | lessons in this rollout, and how many are kept |
//! | `lesson/divergence` | mean KL(target ‖ π) in nats over what was learned from: falls as far as search is no better |
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

/// `[expert]`: what is learned of searchers, who are in the league, and of exact ends; `[ppo]` says the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ExpertConfig {
    /// Weight of the objective of `ppo` on the rollout's own decisions, 0 to 10. At 0 searchers alone teach the policy;
    /// the value is learned from everything.
    pub ppo: f32,
    /// Weight of a lesson's loss, 0 to 100; that of its value is `ppo.value_weight`.
    pub weight: f32,
    /// Standard errors of a gain that are put down to chance, 0 to 5. Where no move gained or lost more, the lesson says that the
    /// policy was right.
    pub doubt: f32,
    /// Lessons that an iteration learns from, drawn from those that are kept, for each decision of its rollout; above 0, at most 10.
    pub share: f32,
    /// Lessons that are kept, the latest, 1 to 1000000. They are part of every checkpoint, a few hundred bytes each.
    pub kept: usize,
}

impl Default for ExpertConfig {
    fn default() -> Self {
        Self { ppo: 1.0, weight: 2.0, doubt: 1.0, share: 0.25, kept: 40_000 }
    }
}

impl ExpertConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        expect((0.0..=10.0).contains(&self.ppo), "ppo", self.ppo, "expected a number from 0 to 10")?;
        expect(
            (0.0..=100.0).contains(&self.weight),
            "weight",
            self.weight,
            "expected a number from 0 to 100",
        )?;
        expect((0.0..=5.0).contains(&self.doubt), "doubt", self.doubt, "expected a number from 0 to 5")?;
        let share = self.share > 0.0 && self.share <= 10.0;
        expect(share, "share", self.share, "expected a number above 0, at most 10")?;
        expect((1..=1_000_000).contains(&self.kept), "kept", self.kept, "expected 1 to 1000000")
    }
}

/// Expert iteration with these settings.
#[derive(Clone, Debug)]
pub struct Expert {
    /// What is learned of those who know better.
    pub config: ExpertConfig,
    /// How the rest is learned.
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

    fn has_magnet(&self) -> bool {
        self.ppo.has_magnet()
    }

    fn teaching(&self) -> Option<Teaching> {
        Some(Teaching { doubt: self.config.doubt })
    }

    fn metrics(&self, critic: bool) -> Vec<&'static str> {
        let mut names = self.ppo.metrics(critic);
        names.extend(["lesson/new", "lesson/kept", "lesson/divergence"]);
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
            kept.keep_last(self.config.kept);
        }
        let wanted = match kept.len() {
            0 => 0,
            _ => (f64::from(self.config.share) * decisions.len() as f64).ceil() as usize,
        };
        let mut draw = Draw::new(streams::seed(step.seed, Purpose::Lessons, &[step.iteration]), 0);
        let size = kept.len();
        let lessons = kept.chosen((0..wanted).map(|_| draw.below(size as u32) as usize));
        let taught = Taught { lessons: &lessons, weight: self.config.weight, ppo: self.config.ppo };
        let (mut report, divergence) = self.ppo.learn(learner, decisions, Some(taught), step)?;
        report.metrics.extend([
            ("lesson/new", count as f64),
            ("lesson/kept", size as f64),
            ("lesson/divergence", divergence),
        ]);
        Ok(report)
    }
}

#[cfg(test)]
mod tests;
