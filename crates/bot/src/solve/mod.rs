//! Solves small games exactly: measures how exploitable a bot is, and finds equilibria.
//!
//! A round is a [`Tree`] ([`cardsharp_env::enumerate`]). A [`Strategy`] has a probability for every move in it.
//! [`measure`] computes the expected reward of each seat, and that of its [`best_response`] to the others. [`CfrPlus`]
//! finds strategies that are hard to exploit. Nothing is sampled: the same tree gives the same bits.

mod cfr;
mod response;
#[cfg(test)]
mod tests;

use cardsharp_env::enumerate::{AnyTree, Tree};

pub use cfr::{CfrPlus, NotZeroSum};
pub use response::{Measure, Response, best_response, measure};

use crate::bot::Bot;

/// The probability of each move when its decision is reached: `[moves]`, numbered as in the tree. The moves of a
/// decision sum to 1. The empty sequence, at the root, has 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy(Vec<f64>);

impl Strategy {
    /// Returns the strategy that plays all legal actions with the same probability.
    pub fn uniform(tree: &Tree) -> Self {
        let mut strategy = Self(vec![1.0; tree.moves]);
        for decision in &tree.decisions {
            strategy.0[decision.moves()].fill(1.0 / decision.actions.len() as f64);
        }
        strategy
    }

    /// Returns the strategy of `bot` in all seats.
    pub fn of(bot: &mut dyn Bot, tree: &dyn AnyTree) -> Self {
        let mut strategy = Self::uniform(tree.tree());
        for (number, decision) in tree.tree().decisions.iter().enumerate() {
            let moves = bot.distribution(tree.view(number));
            for (probability, action) in strategy.0[decision.moves()].iter_mut().zip(&decision.actions) {
                let own = moves.iter().find(|own| own.action == *action);
                *probability = own.map_or(0.0, |own| own.probability);
            }
        }
        strategy
    }

    /// Returns the probability of each move, `[moves]`.
    pub fn probabilities(&self) -> &[f64] {
        &self.0
    }

    /// Returns the realization plan, `[moves]`: for each move, the product of its probability and those of all earlier
    /// moves of its seat.
    fn plan(&self, tree: &Tree) -> Vec<f64> {
        let mut plan = self.0.clone();
        for decision in &tree.decisions {
            let before = plan[decision.before as usize];
            plan[decision.moves()].iter_mut().for_each(|probability| *probability *= before);
        }
        plan
    }
}
