//! Expected rewards and best responses.

use cardsharp_env::Seat;
use cardsharp_env::enumerate::{RoundEnd, Tree};
use serde::Serialize;

use super::Strategy;

/// A best response of one seat to the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The expected reward of the seat.
    pub value: f64,
    /// The strategy of all seats, with the best response for this seat.
    pub strategy: Strategy,
}

/// The expected rewards of a strategy of all seats, and those of best responses to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// The expected reward of each seat if all play the strategy, `[seats]`.
    pub value: Vec<f64>,
    /// The expected reward of each seat if only this seat plays its best response, `[seats]`.
    pub best_response: Vec<f64>,
}

impl Measure {
    /// Returns the sum over seats of `best_response − value`: what each seat would gain alone. It is 0 in a Nash
    /// equilibrium.
    pub fn nash_conv(&self) -> f64 {
        self.best_response.iter().zip(&self.value).map(|(best, value)| best - value).sum()
    }

    /// Returns the mean gain of a seat: [`Measure::nash_conv`] divided by the number of seats.
    pub fn exploitability(&self) -> f64 {
        self.nash_conv() / self.value.len() as f64
    }
}

/// Returns the probability of an end without the choices of `seat`: that of chance times those of the other seats.
fn reach(end: &RoundEnd<'_>, plan: &[f64], seat: usize) -> f64 {
    let others = end.last.iter().enumerate().filter(|&(other, _)| other != seat);
    others.fold(end.probability, |reach, (_, &last)| reach * plan[last as usize])
}

/// Returns the best response of `seat` to `strategy`. Of equally good moves it plays the first.
pub fn best_response(tree: &Tree, strategy: &Strategy, seat: Seat) -> Response {
    let own = seat.index();
    let plan = strategy.plan(tree);
    // The reward of each move of the seat, weighted with the probability that chance and the others reach it.
    let mut gain = vec![0.0; tree.moves];
    for end in tree.ends() {
        gain[end.last[own] as usize] += reach(&end, &plan, own) * end.reward[own];
    }
    let mut answer = strategy.clone();
    // Later decisions come after earlier ones in the list. In reverse order, every gain is complete when it is needed.
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

/// Returns the expected reward of each seat.
fn value(tree: &Tree, strategy: &Strategy) -> Vec<f64> {
    let plan = strategy.plan(tree);
    let mut value = vec![0.0; tree.seats];
    for end in tree.ends() {
        let reach = end.last.iter().fold(end.probability, |reach, &last| reach * plan[last as usize]);
        value.iter_mut().zip(end.reward).for_each(|(value, reward)| *value += reach * reward);
    }
    value
}

/// Returns the expected rewards of `strategy`, and those of best responses to it.
pub fn measure(tree: &Tree, strategy: &Strategy) -> Measure {
    let seats = (0..tree.seats).map(|seat| Seat(seat as u8));
    let best_response = seats.map(|seat| best_response(tree, strategy, seat).value).collect();
    Measure { value: value(tree, strategy), best_response }
}
