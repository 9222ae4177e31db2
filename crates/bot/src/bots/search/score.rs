//! Results of the playouts of each move, and the choice between moves.

use cardsharp_env::{ActionId, mask};

use crate::bot::{Advice, Ranked};

/// Sums over the playouts of one move.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Score {
    pub(super) action: ActionId,
    pub(super) tries: u64,
    pub(super) sum: f64,
    /// Sum of the squared rewards.
    pub(super) squares: f64,
    /// Sum of the rewards minus those of the player's own move in the same deals.
    pub(super) gain: f64,
    /// Sum of the squares of these differences.
    pub(super) gain_squares: f64,
}

impl Score {
    /// Returns the mean reward; 0 without playouts.
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.tries.max(1) as f64
    }

    /// Adds a playout, and the reward of the player's own move in the same deal.
    pub(super) fn add(&mut self, reward: f32, own: f32) {
        let (reward, gain) = (f64::from(reward), f64::from(reward) - f64::from(own));
        self.tries += 1;
        self.sum += reward;
        self.squares += reward * reward;
        self.gain += gain;
        self.gain_squares += gain * gain;
    }

    /// Returns whether it is better than the player's own move by more than `caution` standard errors.
    fn is_better(&self, caution: f64) -> bool {
        let n = self.tries as f64;
        // (mean / standard error)² without dividing: the variance of the mean is (Σd² − (Σd)²/n)/(n(n − 1)).
        let spread = (self.gain_squares - self.gain * self.gain / n.max(1.0)).max(0.0);
        // With infinite caution the right side may be NaN, so that not even a certain gain is enough.
        let surely = self.gain * self.gain * (n - 1.0) >= caution * caution * n * spread;
        self.gain > 0.0 && surely && (self.tries > 1 || caution <= 0.0)
    }

    /// Returns the variance of the mean.
    fn uncertainty(&self) -> f64 {
        let n = self.tries.max(2) as f64;
        ((self.squares - self.sum * self.sum / n) / (n * (n - 1.0))).max(0.0)
    }
}

/// The candidate moves of a decision; the first is the player's own.
#[derive(Clone, Debug, Default)]
pub(super) struct Scores {
    pub(super) moves: Vec<Score>,
}

impl Scores {
    /// Restarts with these moves, the player's own first.
    pub(super) fn start(&mut self, moves: impl Iterator<Item = ActionId>) {
        self.moves.clear();
        self.moves.extend(moves.map(|action| Score { action, ..Score::default() }));
    }

    /// Returns the player's own move.
    pub(super) fn own(&self) -> ActionId {
        self.moves.first().map_or_else(ActionId::default, |own| own.action)
    }

    /// Returns the number of playouts of all moves together.
    pub(super) fn simulations(&self) -> u64 {
        self.moves.iter().map(|score| score.tries).sum()
    }

    /// Returns the best move among those with the most playouts, if it is better than the player's own by more than
    /// `caution` standard errors. Otherwise returns the player's own. Of equal moves, the first is best.
    pub(super) fn choose(&self, caution: f64) -> ActionId {
        let most = self.moves.iter().map(|score| score.tries).max().unwrap_or(0);
        let tried = self.moves.iter().filter(|score| score.tries == most && most > 0);
        let best = tried.fold(None, |best: Option<&Score>, score| match best {
            Some(best) if best.mean() >= score.mean() => Some(best),
            _ => Some(score),
        });
        match best {
            Some(best) if best.action != self.own() && best.is_better(caution) => best.action,
            _ => self.own(),
        }
    }

    /// Returns every legal move with the odds that it is better than the chosen one, normalized. The logistic curve
    /// here is the one closest to the normal distribution.
    pub(super) fn advice(&self, chosen: ActionId, legal: &[u64]) -> Advice {
        let score = |action| self.moves.iter().find(|score| score.action == action && score.tries > 0);
        let best = score(chosen);
        let weight = |action: ActionId| match (score(action), best) {
            _ if action == chosen => 1.0,
            (Some(other), Some(best)) => {
                let error = (other.uncertainty() + best.uncertainty()).sqrt().max(1e-9);
                libm::exp(-1.702 * (best.mean() - other.mean()) / error).min(0.99)
            }
            _ => 0.0,
        };
        let total: f64 = mask::actions(legal).map(weight).sum();
        let ranked = |action| Ranked { action, probability: weight(action) / total, value: None };
        Advice::new(best.map(|best| best.mean() as f32), mask::actions(legal).map(ranked).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates scores of two moves with these rewards in the same deals.
    fn scores(own: &[f32], other: &[f32]) -> Scores {
        let mut scores = Scores::default();
        scores.start([ActionId(7), ActionId(3)].into_iter());
        for (&own, &other) in own.iter().zip(other) {
            scores.moves[0].add(own, own);
            scores.moves[1].add(other, own);
        }
        scores
    }

    #[test]
    fn the_own_move_is_left_only_for_a_gain_that_chance_does_not_explain() {
        // Gains 1, 0, 1, 0: mean 1/2, standard error √(1/3)/2 = 0.2887, 1.73 of them.
        let found = scores(&[0.0, 1.0, -1.0, 0.5], &[1.0, 1.0, 0.0, 0.5]);
        assert_eq!([0.0, 1.7, 1.75].map(|caution| found.choose(caution).0), [3, 3, 7]);
        // The same gain in every deal is certain, and a gain of 0 is not a gain.
        assert_eq!(scores(&[0.0, 0.5], &[0.25, 0.75]).choose(9.0).0, 3);
        assert_eq!(scores(&[0.0, 0.5], &[0.0, 0.5]).choose(0.0).0, 7);
        assert_eq!(scores(&[], &[]).choose(0.0).0, 7, "nothing was tried");
    }

    #[test]
    fn advice_is_surer_after_more_playouts_and_lists_every_legal_move() {
        let legal = [1 << 7 | 1 << 3 | 1 << 9];
        let advice = |times: usize| {
            let (own, other) = ([0.0, 1.0].repeat(times), [1.0, 1.0].repeat(times));
            scores(&own, &other).advice(ActionId(3), &legal)
        };
        let (few, many) = (advice(2), advice(20));
        assert_eq!(many.value, Some(1.0));
        assert_eq!(many.moves.iter().map(|ranked| ranked.action.0).collect::<Vec<_>>(), [3, 7, 9]);
        assert!(few.moves[0].probability < many.moves[0].probability);
        assert_eq!(few.moves[2].probability, 0.0);
    }
}
