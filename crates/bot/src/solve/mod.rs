//! Exact answers for games that are small enough: what a bot gives away, and how to give away nothing.
//!
//! A round comes as a [`Tree`] ([`cardsharp_env::enumerate`]). A [`Strategy`] has a probability for every
//! move in it; [`measure`] finds what each seat gains on average, and what it could gain if it knew the
//! strategy of the others and answered it perfectly ([`best_response`]). [`CfrPlus`] finds strategies
//! that nobody can answer well. No sampling anywhere: the same tree gives the same bits.

mod cfr;
mod response;
#[cfg(test)]
mod tests;

use cardsharp_env::enumerate::{AnyTree, Tree};

pub use cfr::{CfrPlus, NotZeroSum};
pub use response::{Measure, Response, best_response, measure};

use crate::bot::Bot;

/// How probable each move is where its decision is reached: `[moves]`, numbered as in the tree. The
/// moves of a decision add up to 1; "nothing yet" has 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy(Vec<f64>);

impl Strategy {
    /// Every legal action with the same probability.
    pub fn uniform(tree: &Tree) -> Self {
        let mut strategy = Self(vec![1.0; tree.moves]);
        for decision in &tree.decisions {
            strategy.0[decision.moves()].fill(1.0 / decision.actions.len() as f64);
        }
        strategy
    }

    /// What `bot` plays in all seats.
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

    /// The probability of each move, `[moves]`.
    pub fn probabilities(&self) -> &[f64] {
        &self.0
    }

    /// How probable it is that a seat makes this move and all of its own before, if everybody else and
    /// chance bring it there: `[moves]`.
    fn plan(&self, tree: &Tree) -> Vec<f64> {
        let mut plan = self.0.clone();
        for decision in &tree.decisions {
            let before = plan[decision.before as usize];
            plan[decision.moves()].iter_mut().for_each(|probability| *probability *= before);
        }
        plan
    }
}
