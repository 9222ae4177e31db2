//! CFR+: counterfactual regret minimization for two-player zero-sum games (O. Tammelin, "Solving Large Imperfect
//! Information Games Using CFR+", 2014).
//!
//! Each decision stores a regret for each of its moves, which is never below 0, and plays moves in proportion to their
//! regrets. The players update in turns, each against the current strategy of the other. The average of all strategies
//! converges; iteration `t` has weight `t`.

use cardsharp_env::enumerate::Tree;

use super::Strategy;

/// Why CFR+ cannot solve a game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotZeroSum {
    /// The game does not have two players.
    #[error("an equilibrium can be found for 2 players, not {0}")]
    Seats(usize),
    /// The rewards of an end do not sum to 0.
    #[error("an equilibrium can be found where one's gain is the other's loss, but an end gives {0} and {1}")]
    Rewards(f64, f64),
}

/// A solver with its current state.
#[derive(Clone, Debug)]
pub struct CfrPlus<'t> {
    tree: &'t Tree,
    /// `[ends]`: the last moves of both seats, and the reward of seat 0 times the probability of the deal.
    ends: Vec<([u32; 2], f64)>,
    /// `[moves]`, at least 0.
    regret: Vec<f64>,
    /// The current strategy, from regret matching.
    strategy: Strategy,
    /// The realization plan of the current strategy, `[moves]`.
    plan: Vec<f64>,
    /// The weighted sum of realization plans, `[moves]`.
    sum: Vec<f64>,
    iterations: u64,
}

impl<'t> CfrPlus<'t> {
    /// Creates a solver with the uniform strategy.
    ///
    /// # Errors
    /// The tree is not one of a two-player zero-sum game.
    pub fn new(tree: &'t Tree) -> Result<Self, NotZeroSum> {
        if tree.seats != 2 {
            return Err(NotZeroSum::Seats(tree.seats));
        }
        let mut ends = Vec::new();
        for end in tree.ends() {
            let (first, second) = (end.reward[0], end.reward[1]);
            if first + second != 0.0 {
                return Err(NotZeroSum::Rewards(first, second));
            }
            ends.push(([end.last[0], end.last[1]], end.probability * first));
        }
        let strategy = Strategy::uniform(tree);
        let plan = strategy.plan(tree);
        let (regret, sum) = (vec![0.0; tree.moves], vec![0.0; tree.moves]);
        Ok(Self { tree, ends, regret, strategy, plan, sum, iterations: 0 })
    }

    /// Returns the number of iterations so far.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Runs one iteration: updates seat 0, then seat 1.
    pub fn step(&mut self) {
        self.iterations += 1;
        for seat in 0..2 {
            self.learn(seat);
        }
    }

    fn learn(&mut self, seat: usize) {
        let Self { tree, ends, regret, strategy, plan, sum, iterations } = self;
        let weight = *iterations as f64;
        let sign = if seat == 0 { 1.0 } else { -1.0 };
        // The counterfactual value of each move: the seat plays to reach it, and both seats then follow their current
        // strategies.
        let mut gain = vec![0.0; tree.moves];
        for (last, worth) in ends {
            gain[last[seat] as usize] += sign * *worth * plan[last[1 - seat] as usize];
        }
        let own = || tree.decisions.iter().filter(|decision| decision.seat.index() == seat);
        for decision in own().rev() {
            let value: f64 = decision.moves().map(|number| strategy.0[number] * gain[number]).sum();
            gain[decision.before as usize] += value;
            for number in decision.moves() {
                sum[number] += weight * plan[number];
                regret[number] = (regret[number] + gain[number] - value).max(0.0);
            }
        }
        for decision in own() {
            let moves = decision.moves();
            let total: f64 = regret[moves.clone()].iter().sum();
            let before = plan[decision.before as usize];
            for number in moves {
                strategy.0[number] =
                    if total > 0.0 { regret[number] / total } else { 1.0 / decision.actions.len() as f64 };
                plan[number] = before * strategy.0[number];
            }
        }
    }

    /// Returns the average strategy so far. It is uniform at decisions that were never reached, and before the first
    /// iteration.
    pub fn average(&self) -> Strategy {
        let mut average = Strategy::uniform(self.tree);
        for decision in &self.tree.decisions {
            let total: f64 = self.sum[decision.moves()].iter().sum();
            if total > 0.0 {
                decision.moves().for_each(|number| average.0[number] = self.sum[number] / total);
            }
        }
        average
    }
}
