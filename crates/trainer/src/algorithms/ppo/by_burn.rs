//! The loss in burn's words.

use burn::tensor::{Tensor, activation};

use super::super::card::{Judged, Seen, miss};
use super::loss::Task;

/// What stands in for the logit of an action that is not legal.
const BARRED: f32 = -1e9;

impl Task<'_> {
    /// What the loss is told of each decision.
    pub(super) fn columns(&self) -> [&[f32]; 3] {
        [&self.decisions.log_probability, self.weights, self.returns]
    }

    /// The loss of decisions, and what [`super::loss::Sums`] has the sums of.
    pub(super) fn judge_by_burn(&self, seen: Seen) -> Judged {
        let Seen { logits, value, magnet, critic, barred, actions, columns, targets } = seen;
        let [log_before, weight, wanted] = &columns[..] else { unreachable!("three columns") };
        let config = self.config;
        let logs = |logits: Tensor<2>| activation::log_softmax(logits.mask_fill(barred.clone(), BARRED), 1);
        let log = logs(logits);
        let probability = log.clone().exp();
        // Lessons have no part in what is asked of the rollout's own decisions.
        let own = |each: Tensor<2>| match &targets {
            Some(targets) => each * (targets.clone().sum_dim(1).neg() + 1.0),
            None => each,
        };
        let entropy = own((probability.clone() * log.clone()).sum_dim(1)).neg();
        let log_chosen = log.clone().gather(1, actions);
        let moved = log_chosen.clone() - log_before.clone();
        let ratio = moved.clone().exp();
        let zero = || Tensor::zeros(entropy.dims(), &entropy.device());
        let apart = |held| own((probability * (log.clone() - logs(held))).sum_dim(1));
        let magnet = magnet.map_or_else(zero, apart);
        let (lesson, lessons) = match &targets {
            // 0 ln 0 is 0.
            Some(targets) => {
                let logs = targets.clone().clamp_min(f32::MIN_POSITIVE).log();
                ((targets.clone() * (logs - log.clone())).sum_dim(1), targets.clone().sum_dim(1))
            }
            None => (zero(), zero()),
        };
        // − ln p less ln n, as a mean over the n legal actions.
        let allowed = barred.clone().bool_not().float();
        let count = allowed.clone().sum_dim(1);
        let spread = own((log * allowed).sum_dim(1).neg() / count.clone() - count.log());
        let value = miss(value - wanted.clone(), config.value_bound);
        let critic = critic.map_or_else(zero, |critic| miss(critic - wanted.clone(), config.value_bound));
        let kl = own(ratio.clone() - 1.0 - moved);
        let (policy, clipped, aim) = match self.imitate {
            true => {
                let policy = own(log_chosen).neg();
                (policy.clone(), zero(), policy)
            }
            false => {
                let clipped = own((ratio.clone() - 1.0).abs().greater_elem(config.clip).float());
                let bounded = ratio.clone().clamp(1.0 - config.clip, 1.0 + config.clip);
                let policy = own((ratio * weight.clone()).min_pair(bounded * weight.clone())).neg();
                let aim = policy.clone() - entropy.clone().mul_scalar(self.entropy)
                    + magnet.clone().mul_scalar(config.magnet)
                    + spread.clone().mul_scalar(self.spread);
                (policy, clipped, aim)
            }
        };
        let aim = aim + lesson.clone().mul_scalar(self.lessons.weight);
        let loss = aim + (value.clone() + critic.clone()).mul_scalar(config.value_weight);
        Judged {
            loss,
            parts: vec![policy, value, critic, entropy, magnet, spread, kl, clipped, lesson, lessons],
        }
    }
}
