//! Expected rewards and perfect answers.

use cardsharp_env::Seat;
use cardsharp_env::enumerate::{End, Tree};
use serde::Serialize;

use super::Strategy;

/// A perfect answer of one seat to what the others play.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The reward that the seat can expect.
    pub value: f64,
    /// The strategy of all, with the answer in place of what the seat played.
    pub strategy: Strategy,
}

/// What a strategy of all seats is worth, and what could be gained against it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// The reward each seat can expect if all play it, `[seats]`.
    pub value: Vec<f64>,
    /// The reward each seat can expect if it alone answers perfectly, `[seats]`.
    pub best_response: Vec<f64>,
}

impl Measure {
    /// What all seats together would gain by answering perfectly, each on its own: the sum of
    /// `best_response − value`, 0 where nobody gains (a Nash equilibrium).
    pub fn nash_conv(&self) -> f64 {
        self.best_response.iter().zip(&self.value).map(|(best, value)| best - value).sum()
    }

    /// What a seat would gain on average: [`Measure::nash_conv`] over the number of seats.
    pub fn exploitability(&self) -> f64 {
        self.nash_conv() / self.value.len() as f64
    }
}

/// The probability of an end apart from what `seat` does, by the plan of all: chance times the
/// others.
fn reach(end: &End<'_>, plan: &[f64], seat: usize) -> f64 {
    let others = end.last.iter().enumerate().filter(|&(other, _)| other != seat);
    others.fold(end.probability, |reach, (_, &last)| reach * plan[last as usize])
}

/// The perfect answer of `seat` to `strategy`; of equally good moves the first.
pub fn best_response(tree: &Tree, strategy: &Strategy, seat: Seat) -> Response {
    let own = seat.index();
    let plan = strategy.plan(tree);
    // What each move of the seat earns, weighed by how probable it is that the others let it.
    let mut gain = vec![0.0; tree.moves];
    for end in tree.ends() {
        gain[end.last[own] as usize] += reach(&end, &plan, own) * end.reward[own];
    }
    let mut answer = strategy.clone();
    // Later decisions come after earlier ones: backwards, every gain is complete when it is needed.
    for decision in tree.decisions.iter().rev().filter(|decision| decision.seat == seat) {
        let mut best = decision.first as usize;
        for number in decision.moves() {
            if gain[number] > gain[best] {
                best = number;
            }
        }
        gain[decision.before as usize] += gain[best];
        answer.0[decision.moves()].fill(0.0);
        answer.0[best] = 1.0;
    }
    Response { value: gain[own], strategy: answer }
}

/// What `strategy` is worth to each seat.
fn value(tree: &Tree, strategy: &Strategy) -> Vec<f64> {
    let plan = strategy.plan(tree);
    let mut value = vec![0.0; tree.seats];
    for end in tree.ends() {
        let reach = end.last.iter().fold(end.probability, |reach, &last| reach * plan[last as usize]);
        value.iter_mut().zip(end.reward).for_each(|(value, reward)| *value += reach * reward);
    }
    value
}

/// What `strategy` is worth, and what could be gained against it.
pub fn measure(tree: &Tree, strategy: &Strategy) -> Measure {
    let seats = (0..tree.seats).map(|seat| Seat(seat as u8));
    let best_response = seats.map(|seat| best_response(tree, strategy, seat).value).collect();
    Measure { value: value(tree, strategy), best_response }
}
