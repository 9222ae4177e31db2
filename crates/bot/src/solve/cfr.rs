//! CFR+: counterfactual regret minimisation for two players whose rewards cancel (O. Tammelin,
//! "Solving Large Imperfect Information Games Using CFR+", 2014).
//!
//! Every decision keeps, for each of its moves, how much better it would have been to play nothing
//! else (its regret, never below 0), and plays moves in proportion to their regrets. The players are
//! moved on in turns, each against what the other plays now. What converges is the average of all
//! strategies, iteration `t` weighed by `t`.

use cardsharp_env::enumerate::Tree;

use super::Strategy;

/// The game is not one that CFR+ solves.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotZeroSum {
    /// More players, or fewer.
    #[error("an equilibrium can be found for 2 players, not {0}")]
    Seats(usize),
    /// One's gain is not the other's loss.
    #[error("an equilibrium can be found where one's gain is the other's loss, but an end gives {0} and {1}")]
    Rewards(f64, f64),
}

/// A solver and how far it has come.
#[derive(Clone, Debug)]
pub struct CfrPlus<'t> {
    tree: &'t Tree,
    /// The last moves of both seats, and what the end is worth to seat 0 times the probability of its
    /// deal: `[ends]`.
    ends: Vec<([u32; 2], f64)>,
    /// `[moves]`, at least 0.
    regret: Vec<f64>,
    /// What is played now.
    strategy: Strategy,
    /// How probable each move is with all of its seat's moves before, as played now: `[moves]`.
    plan: Vec<f64>,
    /// Plans added up with their weights, `[moves]`.
    sum: Vec<f64>,
    iterations: u64,
}

impl<'t> CfrPlus<'t> {
    /// Nothing learned yet.
    ///
    /// # Errors
    /// The tree is not one of two players whose rewards cancel.
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

    /// Iterations done.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// One iteration: seat 0 moves on, then seat 1.
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
        // What each move earns if the seat tries to get there, the other plays as now, and the seat
        // goes on as now.
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

    /// The average strategy so far; where it never comes, or before the first iteration, all moves
    /// have the same probability.
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
