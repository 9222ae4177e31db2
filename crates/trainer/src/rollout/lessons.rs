//! Distillation targets from search bots and from the endgame solver.

use cardsharp_bot::bots::search::Gain;
use cardsharp_env::{ActionId, mask};

use super::Decisions;

/// Settings of distillation targets.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Teaching {
    /// Standard errors by which the gain or loss of a move must differ from 0 to change the target.
    pub gain_margin: f32,
}

/// Decisions of search bots and of the endgame solver, each with a distillation target. In a rollout their rewards are
/// linked as in [`Decisions`]; in a replay buffer ([`super::Kept`]) each reward is the complete return.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lessons {
    /// The decisions. The policy did not choose the actions, so `log_probability` and `values` are 0.
    pub decisions: Decisions,
    /// Target probabilities, `[len, actions]` flat; 0 for actions that are not legal.
    pub targets: Vec<f32>,
}

impl Lessons {
    /// Number of lessons.
    pub fn len(&self) -> usize {
        self.decisions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    /// Appends other lessons.
    pub fn append(&mut self, other: &Self) {
        self.decisions.append(&other.decisions);
        self.targets.extend_from_slice(&other.targets);
    }

    /// Replaces the rewards by complete returns and removes the links between decisions: each lesson is then
    /// independent.
    pub fn settled(mut self, returns: Vec<f32>) -> Self {
        self.decisions.rewards = returns;
        self.decisions.part();
        self
    }

    /// Copies lesson `number` of settled lessons.
    pub(super) fn copy_of(&mut self, other: &Self, number: usize) {
        let actions = other.targets.len() / other.len();
        self.decisions.copy_of(&other.decisions, number);
        self.targets.extend_from_slice(&other.targets[number * actions..][..actions]);
    }
}

/// Upper limit of sureness in standard errors. A certain gain counts as much.
pub(super) const CERTAIN: f32 = 6.0;

/// Appends the distillation target of a decision, `[actions]`, to `targets` and returns KL(target ‖ π) in nats.
///
/// The target is the softmax of the policy's `logits`, `[actions]`, where each logit is shifted by the action's gain.
/// The shift is the part of the gain's sureness beyond `gain_margin`, in standard errors. If no gain is that sure, the
/// target is the policy itself.
pub(super) fn aim(
    legal: &[u64],
    logits: &[f32],
    gains: &[Gain],
    gain_margin: f32,
    targets: &mut Vec<f32>,
) -> f32 {
    let start = targets.len();
    targets.resize(start + logits.len(), 0.0);
    let target = &mut targets[start..];
    for ActionId(action) in mask::actions(legal) {
        target[usize::from(action)] = logits[usize::from(action)];
    }
    for gain in gains {
        let sure = (gain.sureness as f32).clamp(-CERTAIN, CERTAIN);
        target[usize::from(gain.action.0)] += (sure.abs() - gain_margin).max(0.0).copysign(sure);
    }
    let actions = || mask::actions(legal).map(|ActionId(action)| usize::from(action));
    let total = |logits: &[f32]| {
        let most = actions().map(|action| logits[action]).fold(f32::NEG_INFINITY, f32::max);
        most + libm::logf(actions().map(|action| libm::expf(logits[action] - most)).sum())
    };
    let (aimed, thought) = (total(target), total(logits));
    let mut divergence = 0.0;
    for action in actions() {
        let log = target[action] - aimed;
        target[action] = libm::expf(log);
        divergence += target[action] * (log - (logits[action] - thought));
    }
    divergence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_moves_as_far_as_the_search_is_surer_than_the_doubt() {
        let legal = [0b10110];
        // The policy: 1/4, 1/2, 1/4.
        let logits = [9.0, 0.0, 2.0f32.ln(), 9.0, 0.0];
        let gain =
            |action, sureness| Gain { action: ActionId(action), tries: 10, mean: sureness / 10.0, sureness };
        let aimed = |gains: &[Gain], gain_margin| {
            let mut target = vec![7.0];
            let divergence = aim(&legal, &logits, gains, gain_margin, &mut target);
            assert_eq!((target.len(), target[0], target[1], target[4]), (6, 7.0, 0.0, 0.0));
            [target[2], target[3], target[5], divergence]
        };
        let near = |found: [f32; 4], right: [f32; 4]| {
            let off = found.iter().zip(right).map(|(found, right)| (found - right).abs()).fold(0.0, f32::max);
            assert!(off < 1e-6, "{found:?} instead of {right:?}");
        };
        near(aimed(&[gain(2, 0.0), gain(1, 0.9), gain(4, -0.9)], 1.0), [0.25, 0.5, 0.25, 0.0]);
        // Twice as likely relative to the others: 2/5, 2/5, 1/5.
        let divergence = 0.4 * 1.6f32.ln() + 0.6 * 0.8f32.ln();
        near(aimed(&[gain(2, 0.0), gain(1, 1.0 + f64::from(2.0f32.ln()))], 1.0), [0.4, 0.4, 0.2, divergence]);
        let sure = aimed(&[gain(2, 0.0), gain(1, 80.0), gain(4, f64::NEG_INFINITY)], 0.0);
        assert!(sure[0] > 0.99 && sure[2] < 1e-4, "{sure:?}");
    }
}
