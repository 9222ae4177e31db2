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

    /// The loss over decisions, and the sums that [`super::loss::Sums`] has.
    pub(super) fn judge_by_burn(&self, seen: Seen) -> Judged {
        let Seen { logits, value, magnet, critic, barred, actions, columns } = seen;
        let [log_before, weight, wanted] = &columns[..] else { unreachable!("three columns") };
        let config = self.config;
        let logs = |logits: Tensor<2>| activation::log_softmax(logits.mask_fill(barred.clone(), BARRED), 1);
        let log = logs(logits);
        let probability = log.clone().exp();
        let entropy = (probability.clone() * log.clone()).sum().neg();
        let log_chosen = log.clone().gather(1, actions);
        let moved = log_chosen.clone() - log_before.clone();
        let ratio = moved.clone().exp();
        let zero = || Tensor::<1>::zeros([1], &entropy.device());
        let magnet = magnet.map_or_else(zero, |held| (probability * (log.clone() - logs(held))).sum());
        // − ln p less ln n, as a mean over the n legal actions.
        let allowed = barred.clone().bool_not().float();
        let count = allowed.clone().sum_dim(1);
        let spread = ((log * allowed).sum_dim(1).neg() / count.clone() - count.log()).sum();
        let value = miss(value - wanted.clone(), config.value_bound);
        let critic = critic.map_or_else(zero, |critic| miss(critic - wanted.clone(), config.value_bound));
        let kl = (ratio.clone() - 1.0 - moved).sum();
        let (policy, clipped, aim) = match self.imitate {
            true => {
                let policy = log_chosen.sum().neg();
                (policy.clone(), zero(), policy)
            }
            false => {
                let clipped = (ratio.clone() - 1.0).abs().greater_elem(config.clip).float().sum();
                let bounded = ratio.clone().clamp(1.0 - config.clip, 1.0 + config.clip);
                let policy = (ratio * weight.clone()).min_pair(bounded * weight.clone()).sum().neg();
                let aim = policy.clone() - entropy.clone().mul_scalar(self.entropy)
                    + magnet.clone().mul_scalar(config.magnet)
                    + spread.clone().mul_scalar(self.spread);
                (policy, clipped, aim)
            }
        };
        let loss = aim + (value.clone() + critic.clone()).mul_scalar(config.value_weight);
        Judged { loss, sums: vec![policy, value, critic, entropy, magnet, spread, kl, clipped] }
    }
}
