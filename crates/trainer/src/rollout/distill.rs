//! Distillation targets, and the replay buffer that stores them between iterations.

use std::collections::VecDeque;
use std::sync::Arc;

use cardsharp_env::{ActionId, mask};
use safetensors::SafeTensorError;

use super::{Decisions, NONE, Widths};
use crate::columns::{ColumnError, Columns, Writer};

/// Decisions with distillation targets. In a rollout their rewards are linked as in [`Decisions`]; in a
/// [`ReplayBuffer`] each reward is the complete return.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DistillTargets {
    /// The decisions. The policy did not choose the actions, so `log_probability` and `values` are 0.
    pub decisions: Decisions,
    /// Target probabilities, `[len, actions]` flat; 0 for actions that are not legal.
    pub probabilities: Vec<f32>,
}

impl DistillTargets {
    /// Returns the number of targets.
    pub fn len(&self) -> usize {
        self.decisions.len()
    }

    /// Returns whether there are no targets.
    pub fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    /// Appends other targets and keeps their links.
    pub fn append(&mut self, other: &Self) {
        self.decisions.append(&other.decisions);
        self.probabilities.extend_from_slice(&other.probabilities);
    }

    /// Replaces the rewards by complete returns and removes the links between decisions: each target is then
    /// independent.
    pub fn with_returns(mut self, returns: Vec<f32>) -> Self {
        self.decisions.rewards = returns;
        self.decisions.unlink();
        self
    }

    /// Copies target `number` of others with returns.
    fn push_from(&mut self, other: &Self, number: usize) {
        let actions = other.probabilities.len() / other.len();
        self.decisions.push_from(&other.decisions, number);
        self.probabilities.extend_from_slice(&other.probabilities[number * actions..][..actions]);
    }

    /// Serializes targets with returns as the file of a replay buffer.
    pub(crate) fn to_bytes(&self, widths: Widths) -> Result<Vec<u8>, SafeTensorError> {
        let Widths { cells, words, hidden, actions } = widths;
        let (len, of) = (self.len(), &self.decisions);
        let played: Vec<u16> = of.actions.iter().map(|action| action.0).collect();
        let mut columns = Writer::default();
        columns.add("actions", &[len], &played);
        columns.add("hidden", &[len, hidden], &of.hidden);
        columns.add("legal", &[len, words], &of.legal);
        columns.add("returns", &[len], &of.rewards);
        columns.add("rows", &[len, cells], &of.rows);
        columns.add("targets", &[len, actions], &self.probabilities);
        columns.file()
    }

    /// Reads targets that [`DistillTargets::to_bytes`] wrote.
    pub(crate) fn from_bytes(bytes: &[u8], widths: Widths) -> Result<Self, ColumnError> {
        let Widths { cells, words, hidden, actions } = widths;
        let columns = Columns::read(bytes)?;
        let len = columns.len("actions")?;
        let decisions = Decisions {
            rows: columns.get("rows", &[len, cells])?,
            legal: columns.get("legal", &[len, words])?,
            hidden: columns.get("hidden", &[len, hidden])?,
            actions: columns.get("actions", &[len])?.into_iter().map(ActionId).collect(),
            log_probability: vec![0.0; len],
            values: vec![0.0; len],
            rewards: columns.get("returns", &[len])?,
            next: vec![NONE; len],
            discounts: vec![0.0; len],
        };
        Ok(Self { decisions, probabilities: columns.get("targets", &[len, actions])? })
    }
}

/// How far the logit of the solver's move is raised: relative to the others, the target has it 148 times as likely.
const RAISE: f32 = 5.0;

/// Appends the target of a decision, `[actions]`, to `targets` and returns KL(target ‖ π) in nats.
///
/// The target is the softmax of the policy's `logits`, `[actions]`, with that of `best` raised. Other moves may be as
/// good; they keep their ratios.
pub(super) fn push_target(legal: &[u64], logits: &[f32], best: ActionId, targets: &mut Vec<f32>) -> f32 {
    let start = targets.len();
    targets.resize(start + logits.len(), 0.0);
    let target = &mut targets[start..];
    let actions = || mask::actions(legal).map(|ActionId(action)| usize::from(action));
    actions().for_each(|action| target[action] = logits[action]);
    target[usize::from(best.0)] += RAISE;
    let log_sum = |logits: &[f32]| {
        let most = actions().map(|action| logits[action]).fold(f32::NEG_INFINITY, f32::max);
        most + libm::logf(actions().map(|action| libm::expf(logits[action] - most)).sum())
    };
    let (of_target, of_policy) = (log_sum(target), log_sum(logits));
    let mut divergence = 0.0;
    for action in actions() {
        let log = target[action] - of_target;
        target[action] = libm::expf(log);
        divergence += target[action] * (log - (logits[action] - of_policy));
    }
    divergence
}

/// A replay buffer of targets with returns ([`DistillTargets::with_returns`]), in the order in which they came. Clones
/// share the targets: every iteration starts with a clone of the state, and the targets are most of it.
#[derive(Clone, Debug, Default)]
pub struct ReplayBuffer {
    parts: VecDeque<Arc<DistillTargets>>,
    /// Number of targets of the first part that were dropped.
    dropped: usize,
}

impl ReplayBuffer {
    /// Returns the number of targets.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum::<usize>() - self.dropped
    }

    /// Returns whether there are no targets.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds targets with returns.
    pub fn push(&mut self, targets: DistillTargets) {
        if !targets.is_empty() {
            self.parts.push_back(Arc::new(targets));
        }
    }

    /// Drops all but the last `size` targets.
    pub fn truncate(&mut self, size: usize) {
        self.dropped += self.len().saturating_sub(size);
        while let Some(first) = self.parts.front().filter(|first| first.len() <= self.dropped) {
            self.dropped -= first.len();
            self.parts.pop_front();
        }
    }

    /// Returns copies of the targets with these numbers, from 0 for the oldest.
    pub fn select(&self, numbers: impl Iterator<Item = usize>) -> DistillTargets {
        let ends: Vec<usize> = self
            .parts
            .iter()
            .scan(0, |end, part| {
                *end += part.len();
                Some(*end)
            })
            .collect();
        let mut selected = DistillTargets::default();
        for number in numbers {
            let number = number + self.dropped;
            let at = ends.partition_point(|&end| end <= number);
            let part = &self.parts[at];
            selected.push_from(part, number + part.len() - ends[at]);
        }
        selected
    }

    /// Returns copies of all targets.
    pub fn all(&self) -> DistillTargets {
        self.select(0..self.len())
    }
}

impl PartialEq for ReplayBuffer {
    /// Compares the targets, not how they are divided into parts.
    fn eq(&self, other: &Self) -> bool {
        self.all() == other.all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_raises_one_move_and_keeps_the_ratios_of_the_others() {
        let legal = [0b10110];
        // The policy: 1/4, 1/2, 1/4.
        let logits = [9.0, 0.0, 2.0f32.ln(), 9.0, 0.0];
        let mut target = vec![7.0];
        let divergence = push_target(&legal, &logits, ActionId(1), &mut target);
        assert_eq!((target.len(), target[0], target[1], target[4]), (6, 7.0, 0.0, 0.0));
        let total = 5.0f32.exp() + 3.0;
        for (found, expected) in [(target[2], 5.0f32.exp()), (target[3], 2.0), (target[5], 1.0)] {
            assert!((found - expected / total).abs() < 1e-6, "{found} instead of {}", expected / total);
        }
        // Σ t ln(t / π): the raised move becomes e⁵ · 4 / total times as likely, the others 4 / total times.
        let expected = (4.0 / total).ln() + 5.0 * 5.0f32.exp() / total;
        assert!((divergence - expected).abs() < 1e-5, "{divergence} instead of {expected}");
    }

    #[test]
    fn a_buffer_keeps_the_last_targets_and_selects_by_number() {
        let targets = |numbers: std::ops::Range<usize>| {
            let mut targets = DistillTargets::default();
            for number in numbers {
                let (row, legal, hidden) = ([number as u8; 3], [number as u64, 1], [number as u8]);
                targets.decisions.push(&row, &legal, &hidden, ActionId(number as u16), 0.0, 0.0);
                targets.probabilities.extend([number as f32, 0.5]);
            }
            let returns = targets.decisions.actions.iter().map(|action| f32::from(action.0)).collect();
            targets.with_returns(returns)
        };
        let mut buffer = ReplayBuffer::default();
        [0..5, 5..5, 5..9, 9..10].into_iter().for_each(|numbers| buffer.push(targets(numbers)));
        buffer.truncate(20);
        assert_eq!((buffer.len(), buffer.all()), (10, targets(0..10)));
        buffer.truncate(7);
        assert_eq!((buffer.len(), buffer.all()), (7, targets(3..10)));
        let mut selected = targets(4..5);
        [9..10, 5..6, 4..5].into_iter().for_each(|numbers| selected.append(&targets(numbers)));
        let before = buffer.clone();
        buffer.truncate(6);
        assert_eq!(buffer.select([0, 5, 1, 0].into_iter()), selected);
        assert!(selected.decisions.next.iter().all(|&next| next == NONE));
        // A clone does not change, and the division into parts makes no difference.
        assert_eq!(before.all(), targets(3..10));
        assert_ne!(before, buffer);
        let mut other = ReplayBuffer::default();
        other.push(targets(4..10));
        assert_eq!(other, buffer);
        buffer.truncate(0);
        assert!(buffer.is_empty() && buffer.all().is_empty());
    }
}
