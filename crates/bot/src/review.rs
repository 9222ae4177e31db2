//! Reviews a session: what each decision of a seat cost, and how much was luck.
//!
//! Decisions are judged by what the seat knew. A search names the move that it would have played. If that differs from
//! the played move, both are played out in the same fresh deals. A search may overrate its move because of the deals
//! that it drew, and fresh deals do not share that error. So costs can be negative, and their sum over a session is
//! unbiased.
//!
//! The result of a round is then split into parts that add up. The first is the value of the deal, with the judge's
//! network in all seats at temperature 1. The second is what the seat's decisions added. The rest comes from the other
//! players and from later chance.

use cardsharp_env::rng::derive;
use cardsharp_env::table::Step;
use cardsharp_env::{ActionId, AnyTable, Payoff, Seat, SeatView, mask};
use schemars::JsonSchema;
use serde::Serialize;

use crate::bot::Bot;
use crate::bots::Player;
use crate::bots::search::{Compared, Search, SearchSettings};
use crate::endgame_solver::{DEFAULT_POSITIONS, EndgameSolver};
use crate::stats::Z;

/// How thorough a review is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Thoroughness {
    /// Deals in which the played move and the better move are compared.
    pub deals: u32,
    /// Playouts of each round from its deal, which estimate the value of the deal.
    pub playouts: u32,
    /// The seed of all randomness.
    pub seed: u64,
}

impl Default for Thoroughness {
    fn default() -> Self {
        Self { deals: 400, playouts: 100, seed: 0 }
    }
}

/// A decision with more than one legal move, and its cost.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReviewedDecision {
    /// The step of the session.
    pub step: usize,
    /// The round, from 1.
    pub round: u32,
    /// The phase of the game.
    pub phase: &'static str,
    /// The move that was played.
    pub played: String,
    /// The move that the judge would have played.
    pub better: String,
    /// The exact loss of reward, if the endgame solver knows the rest of the round. 0 for a best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<f32>,
    /// The played move against the better move, in the same deals. Missing if they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Compared>,
}

/// The judge's move for a decision, with its comparison to the played move.
struct Judgement {
    better: ActionId,
    certain: Option<f32>,
    compared: Option<Compared>,
}

/// A mean with its standard error and 95 % confidence interval.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Estimate {
    /// The mean of the samples.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// The lower end of its 95 % confidence interval.
    pub low: f64,
    /// The upper end of its 95 % confidence interval.
    pub high: f64,
}

impl Estimate {
    /// Creates an estimate from a mean and its standard error.
    pub fn new(mean: f64, error: f64) -> Self {
        Self { mean, error, low: mean - Z * error, high: mean + Z * error }
    }

    /// Estimates the mean of samples.
    pub(crate) fn of(samples: &[f64]) -> Self {
        let n = samples.len().max(1) as f64;
        let mean = samples.iter().sum::<f64>() / n;
        let squares: f64 = samples.iter().map(|sample| (sample - mean) * (sample - mean)).sum();
        Self::new(mean, (squares / (n * (n - 1.0).max(1.0))).sqrt())
    }
}

/// A result in parts that add up: `result = deal + decisions + rest`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Parts {
    /// The result that the other fields explain.
    pub result: f64,
    /// The value of the deal, with the judge's network in all seats.
    pub deal: Estimate,
    /// What the seat's decisions added, compared with the judge's moves.
    pub decisions: Estimate,
    /// The rest: different play by others, and later chance.
    pub rest: f64,
}

impl Parts {
    fn of(result: f64, deal: Estimate, decisions: Estimate) -> Self {
        Self { result, deal, decisions, rest: result - deal.mean - decisions.mean }
    }
}

/// The result of a round in parts.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RoundParts {
    /// The round, from 1.
    pub round: u32,
    /// The number of players. An even share of places is (players + 1) / 2.
    pub players: u32,
    /// The parts in places: less is better.
    pub place: Parts,
    /// The parts in points.
    pub points: Parts,
}

/// The review of one step of a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Reviewed {
    /// A decision of the seat with more than one legal move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<ReviewedDecision>,
    /// The end of a round that the seat played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<RoundParts>,
}

struct Judge {
    search: Search,
    solver: EndgameSolver,
    deals: u32,
}

impl Judge {
    fn judge(&mut self, view: SeatView<'_>, played: ActionId) -> Judgement {
        if let Some(values) = self.solver.solve(view, DEFAULT_POSITIONS) {
            let of =
                |action| values.moves.iter().find(|&&(other, _)| other == action).map(|&(_, worth)| worth);
            let lost = of(played).map_or(0.0, |worth| values.value() - worth);
            // If only the own turn is known (TAKI), only winning moves have exact values. A missed win has an infinite
            // loss here, so the comparison below estimates it.
            if values.is_best(played) {
                return Judgement { better: played, certain: Some(0.0), compared: None };
            }
            let better = values.best().next().unwrap_or(played);
            let compared = Some(self.search.compare(view, [played, better], self.deals));
            return Judgement { better, certain: lost.is_finite().then_some(lost), compared };
        }
        let better = self.search.pick(view);
        let compared = (better != played).then(|| self.search.compare(view, [played, better], self.deals));
        Judgement { better, certain: None, compared }
    }
}

/// Replays a session from its start and reviews it step by step.
pub struct Reviewer {
    table: Box<dyn AnyTable>,
    /// The steps of the session, to be replayed.
    steps: Vec<Step>,
    seat: Seat,
    judge: Judge,
    /// The player that plays rounds out from their deal.
    player: Player,
    thoroughness: Thoroughness,
    /// The value of the current round's deal, in places and points; `None` before the deal.
    dealt: Option<[Estimate; 2]>,
    /// The sum of what decisions of this round added, in places and points, and the squares of their standard errors.
    added: [[f64; 2]; 2],
}

impl Reviewer {
    /// Creates a review of the decisions of `seat` in all steps of a table so far. The judge searches with `settings`.
    /// Its network, if any, also plays rounds out.
    pub fn new(
        mut table: Box<dyn AnyTable>,
        seat: Seat,
        settings: SearchSettings,
        thoroughness: Thoroughness,
    ) -> Self {
        let player = match &settings.net {
            Some(net) => Player::policy("judge", net.clone(), 1.0),
            None => Player::scripted(),
        };
        let search = Search::new("judge", settings, thoroughness.seed);
        let steps = (1..=table.steps()).filter_map(|number| table.step(number)).collect();
        while table.undo().is_some() {}
        let judge = Judge { search, solver: EndgameSolver::default(), deals: thoroughness.deals };
        let mut reviewer =
            Self { table, steps, seat, judge, player, thoroughness, dealt: None, added: [[0.0; 2]; 2] };
        reviewer.weigh_deal();
        reviewer
    }

    /// Returns the number of reviewed steps, and the number of all steps.
    pub fn progress(&self) -> (usize, usize) {
        (self.table.steps(), self.steps.len())
    }

    /// Returns the table at the current step.
    pub fn table(&self) -> &dyn AnyTable {
        self.table.as_ref()
    }

    /// Reviews the next step. Returns `None` at the end.
    pub fn advance(&mut self) -> Option<Reviewed> {
        let done = self.table.steps();
        let step = *self.steps.get(done)?;
        let mut reviewed = Reviewed::default();
        // Each step was legal once, so it is legal again.
        match step {
            Step::Move(seat, action) => {
                if seat == self.seat {
                    reviewed.decision = self.decision(done + 1, action);
                }
                self.table.try_play(action).ok()?;
                reviewed.round = self.table.payoff().and_then(|payoff| self.round(&payoff));
            }
            Step::Deal => {
                self.table.deal_next();
                (self.dealt, self.added) = (None, [[0.0; 2]; 2]);
            }
            Step::Change(change) => self.table.change_roster(change).ok()?,
        }
        if self.dealt.is_none() {
            self.weigh_deal();
        }
        Some(reviewed)
    }

    fn decision(&mut self, step: usize, played: ActionId) -> Option<ReviewedDecision> {
        let view = self.table.view(self.seat)?;
        if mask::single(&view.legal_words()).is_some() {
            return None;
        }
        let Judgement { better, certain, compared } = self.judge.judge(view, played);
        if let Some(Compared { place, points, .. }) = compared {
            let both = [(place.mean, place.error), (points.mean, points.error)];
            for (added, (mean, error)) in self.added.iter_mut().zip(both) {
                *added = [added[0] + mean, added[1] + error * error];
            }
        }
        let [played, better] = [played, better].map(|action| self.table.label(action));
        let (round, phase) = (self.table.round(), self.table.phase());
        Some(ReviewedDecision { step, round, phase, played, better, certain, compared })
    }

    /// Estimates the value of the deal: plays the round several times with the judge's player in all seats.
    fn weigh_deal(&mut self) {
        if self.table.describe_deal().is_none() || self.table.payoff().is_some() {
            return;
        }
        let (from, round) = (self.table.steps(), u64::from(self.table.round()));
        let (mut places, mut points) = (Vec::new(), Vec::new());
        for playout in 0..u64::from(self.thoroughness.playouts) {
            let mut bot = self.player.bot(derive(self.thoroughness.seed, &[round, playout]));
            while let Some(view) = self.table.asked() {
                let action = bot.pick(view);
                if self.table.try_play(action).is_err() {
                    break;
                }
            }
            if let Some(payoff) = self.table.payoff() {
                places.push(f64::from(payoff.place[self.seat.index()]));
                points.push(f64::from(payoff.points[self.seat.index()]));
            }
            while self.table.steps() > from {
                self.table.undo();
            }
        }
        self.dealt = Some([Estimate::of(&places), Estimate::of(&points)]);
    }

    fn round(&self, payoff: &Payoff) -> Option<RoundParts> {
        let (seat, [place, points]) = (self.seat.index(), self.dealt?);
        if payoff.place[seat] == 0 {
            return None;
        }
        let decisions = self.added.map(|[mean, squares]| Estimate::new(mean, squares.sqrt()));
        Some(RoundParts {
            round: self.table.round(),
            players: self.table.present().iter().count() as u32,
            place: Parts::of(payoff.place[seat].into(), place, decisions[0]),
            points: Parts::of(payoff.points[seat].into(), points, decisions[1]),
        })
    }
}

#[cfg(test)]
mod tests;
