//! Judges all moves of a decision: which are best, and what the others lose.

use cardsharp_env::{ActionId, AnyTable, Seat, mask};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Cost, Judge, MoveValue, Puzzle};
use crate::bot::Bot;
use crate::bots::search::{Search, SeatResult};
use crate::bots::{EndgameBot, Player};
use crate::endgame_solver::{EndgameSolver, ExactValues};
use crate::review::Estimate;

/// The smallest loss of a wrong move, in rewards: the lower end of its interval.
const MARGIN: f64 = 0.02;
/// Positions after which the endgame solver gives up. It solves some thousand decisions for one puzzle, so the limit is
/// far below that of a bot at a table.
pub(super) const POSITIONS: u64 = 5_000;

/// The measure of costs.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueUnit {
    /// Finishing places: less is better.
    Place,
    /// Points: more is better.
    Points,
}

/// The values of all moves of a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The measure of the costs.
    pub unit: ValueUnit,
    /// The legal moves with their values, ascending.
    pub moves: Vec<Judged>,
    /// The best moves: first the one with the largest mean reward, then those that are not clearly worse.
    pub best: Vec<ActionId>,
    /// Whether every other move loses clearly more than the best ones.
    pub is_clear: bool,
}

/// The value of a move.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Judged {
    /// The move.
    pub action: ActionId,
    /// The mean finishing place.
    pub place: f64,
    /// The mean points.
    pub points: f64,
    /// The share of the deals in which the seat finishes first.
    pub first: f64,
    /// The loss of reward against the first best move.
    pub loss: Estimate,
    /// The same loss in the unit of the judgement.
    pub cost: Estimate,
}

impl Judgement {
    /// Computes the judgement from the ends of all moves in the same deals, `[deals, moves]`.
    pub(super) fn of(legal: &[ActionId], ends: &[SeatResult]) -> Self {
        let count = legal.len().max(1);
        let deals = || ends.chunks_exact(count);
        let n = deals().len().max(1) as f64;
        let mean = |number: usize, of: fn(&SeatResult) -> f64| {
            deals().map(|ends| of(&ends[number])).sum::<f64>() / n
        };
        let reward = |end: &SeatResult| f64::from(end.reward);
        let rewards: Vec<f64> = (0..legal.len()).map(|number| mean(number, reward)).collect();
        let top = (0..legal.len())
            .reduce(|best, number| if rewards[number] > rewards[best] { number } else { best });
        let top = top.unwrap_or_default();
        let differ = |ends: &[SeatResult]| ends.iter().any(|end| end.points != ends[0].points);
        let unit = if deals().any(differ) { ValueUnit::Points } else { ValueUnit::Place };
        let loss = |end: &SeatResult, best: &SeatResult| reward(best) - reward(end);
        let cost = |end: &SeatResult, best: &SeatResult| match unit {
            ValueUnit::Place => f64::from(end.place - best.place),
            ValueUnit::Points => f64::from(best.points - end.points),
        };
        let estimate = |number: usize, of: &dyn Fn(&SeatResult, &SeatResult) -> f64| {
            let samples: Vec<f64> = deals().map(|ends| of(&ends[number], &ends[top])).collect();
            Estimate::of(&samples)
        };
        let moves: Vec<Judged> = legal
            .iter()
            .enumerate()
            .map(|(number, &action)| Judged {
                action,
                place: mean(number, |end| end.place.into()),
                points: mean(number, |end| end.points.into()),
                first: mean(number, |end| f64::from(u8::from(end.place == 1))),
                loss: estimate(number, &loss),
                cost: estimate(number, &cost),
            })
            .collect();
        let is_equal = |judged: &&Judged| judged.loss.low <= 0.0 || judged.cost.low <= 0.0;
        let first = legal.get(top).copied();
        let equal =
            moves.iter().filter(is_equal).map(|judged| judged.action).filter(|&other| Some(other) != first);
        let best: Vec<ActionId> = first.into_iter().chain(equal).collect();
        let is_clear = moves.iter().all(|judged| best.contains(&judged.action) || judged.loss.low >= MARGIN);
        Self { unit, moves, best, is_clear }
    }

    /// Returns the value of a move.
    pub fn value(&self, action: ActionId) -> Option<&Judged> {
        self.moves.iter().find(|judged| judged.action == action)
    }

    /// Returns whether another judgement, on other deals, agrees. All best moves of this judgement must be best there, and
    /// its first best move must be one of them.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let first = other.best.first().is_some_and(|first| self.best.contains(first));
        first && self.best.iter().all(|best| other.best.contains(best))
    }

    /// Returns the values of all moves for a puzzle, with the labels of `table`.
    pub(super) fn values(&self, table: &dyn AnyTable, exact: Option<&ExactValues>) -> Vec<MoveValue> {
        let round = |number: f64| (number * 1e4).round() / 1e4;
        let first = self.best.first().copied();
        let value = |&Judged { action, place, points, first: share, cost, .. }: &Judged| {
            let Estimate { mean, low, high, .. } = cost;
            let cost = Cost { mean: round(mean), low: round(low), high: round(high) };
            let known = exact.and_then(|exact| exact.moves.iter().find(|(other, _)| *other == action));
            MoveValue {
                label: table.label(action),
                place: round(place),
                points: round(points),
                first: round(share),
                cost: (Some(action) != first).then_some(cost),
                exact: known.map(|&(_, reward)| reward).filter(|reward| reward.is_finite()),
            }
        };
        self.moves.iter().map(value).collect()
    }
}

/// Judges a puzzle again. Returns the judgement of the judge of its kind in `deals` deals; `None` if the position has no
/// exact value or no deal fits it.
///
/// `search` plays out, and `player` plays the seats of exact puzzles.
pub fn judged(
    puzzle: &Puzzle,
    table: &dyn AnyTable,
    search: &mut Search,
    player: &Player,
    deals: u32,
) -> Option<Judgement> {
    let view = table.asked()?;
    match puzzle.judge {
        Judge::Search => {
            let legal: Vec<ActionId> = mask::actions(&view.legal_words()).collect();
            Some(Judgement::of(&legal, &search.ends(view, &legal, deals)))
        }
        Judge::Exact => {
            let values = EndgameSolver::default().solve(view, POSITIONS)?;
            exactly(table, puzzle.seat, player, &values, deals, 0)
        }
    }
}

/// Plays every move out in `deals` imagined sessions with the endgame solver in all seats. Returns `None` if the results
/// contradict the exact values, or if no session fits what the seat knows.
pub(super) fn exactly(
    table: &dyn AnyTable,
    seat: Seat,
    player: &Player,
    values: &ExactValues,
    deals: u32,
    seed: u64,
) -> Option<Judgement> {
    let legal: Vec<ActionId> = values.moves.iter().map(|&(action, _)| action).collect();
    let mut bot = EndgameBot::new(player.bot(seed), POSITIONS);
    let mut ends = Vec::with_capacity(deals as usize * legal.len());
    for deal in 0..u64::from(deals) {
        let mut imagined = table.imagined(seat, cardsharp_env::rng::derive(seed, &[deal]))?;
        let from = imagined.steps();
        for &action in &legal {
            imagined.try_play(action).ok()?;
            while let Some(view) = imagined.asked() {
                let action = bot.pick(view);
                imagined.try_play(action).ok()?;
            }
            ends.push(SeatResult::of(&imagined.payoff()?, seat));
            while imagined.steps() > from {
                imagined.undo();
            }
        }
    }
    let judgement = Judgement::of(&legal, &ends);
    let agree = legal.iter().all(|&action| judgement.best.contains(&action) == values.is_best(action));
    agree.then_some(judgement)
}
