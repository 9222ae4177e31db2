//! How strong bots are: every deal is played from every seat, and intervals are resampled by deal.
//!
//! A deal is the seed of a whole session. Luck in the cards is the same for all who sit in all seats
//! of the same deals, so bots that play alike score exactly 0 against each other.
//!
//! The work comes in units, each a pure function of the contest and its number. Callers play them in
//! any order, on as many threads as they like, with a clock of their own (which only fills the times
//! per move), and hand them back in order: the report does not depend on how they were played.

use std::time::Duration;

use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, AnyGame, Payoff, RulesError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bot::Ask;
use crate::bots::Player;
use crate::stats::{Durations, Group, bootstrap};

pub use crate::stats::Interval;

/// Deals in a unit: enough games side by side for batched inference, few enough for many threads.
pub const UNIT: u64 = 16;

/// Place score, first places and points of a bot in one deal, in the order of these places.
const SCORE: usize = 0;
const FIRST: usize = 1;
const POINTS: usize = 2;
/// What place scores are multiplied with while they are added up: a multiple of every number of
/// players less one, so that they are whole numbers whoever plays.
const SCALE: i64 = 27_720;

/// Why a contest cannot be held.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArenaError {
    /// The rules are refused.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The bots do not fill the table.
    #[error(
        "{given} bots cannot fill {players} seats: name two (the first takes one seat among copies of the \
         second) or {players} (each takes every seat in turn)"
    )]
    Bots {
        /// How many bots were named.
        given: usize,
        /// How many seats a session by these rules has.
        players: usize,
    },
    /// There is nothing to measure.
    #[error("a contest needs at least 1 deal")]
    NoDeals,
}

/// Who plays what how often.
#[derive(Clone)]
pub struct Contest {
    game: &'static dyn AnyGame,
    rules: Value,
    players: usize,
    bots: Vec<Player>,
    deals: u64,
    seed: u64,
}

/// What one bot did in one deal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tally {
    group: Group<3>,
    /// Rounds by place, best first.
    places: Vec<u64>,
}

/// The games of one unit. Opaque: it goes from [`Contest::play`] to [`Contest::report`].
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// `[deals of the unit]` of `[bots]`.
    deals: Vec<Vec<Tally>>,
    /// `[bots]`.
    times: Vec<Durations>,
    /// The most rounds that a session had.
    rounds: u64,
    /// Bit `k` is set if there was a round with `k` players besides the first.
    others: u16,
}

/// The result of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The game's name.
    pub game: String,
    /// Number of seats.
    pub players: usize,
    /// The rules, all options.
    pub rules: Value,
    /// Number of deals; every deal is a session that was played once from every seat.
    pub deals: u64,
    /// Rounds in a session (the most that one had).
    pub rounds: u64,
    /// What the deals and the bots' random streams were drawn from.
    pub seed: u64,
    /// The bots, as named.
    pub bots: Vec<BotReport>,
}

/// How one bot did. Means are per round and seat that it held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotReport {
    /// The bot's name.
    pub name: String,
    /// 1 − 2(place − 1)/(players of the round − 1): 1 for the first place, −1 for the last. Players who
    /// share a place count as neither ahead of each other nor behind.
    pub place_score: Interval,
    /// Share of first places, 0 to 1.
    pub first_rate: Interval,
    /// Points by the game's scoring.
    pub points: Interval,
    /// Share of each place, best first, `[players]`; they add up to 1.
    pub places: Vec<f64>,
    /// Time per move.
    pub ms_per_move: Millis,
}

/// Quantiles of the time per move, in milliseconds. Forced moves are not asked for and not counted;
/// moves that were decided together count with equal shares of their time.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Millis {
    /// The median.
    pub p50: f64,
    /// 99 % of the moves took at most this.
    pub p99: f64,
}

impl Contest {
    /// A contest over `deals` deals by `rules` (which say how many players there are). With two
    /// bots, the first takes one seat and the second all others; with as many bots as players, seat `s`
    /// is first held by bot `s`. Every deal is then played again with all moved on by one seat, until
    /// every bot has had every seat.
    ///
    /// # Errors
    /// The rules are refused, the number of bots does not fit, or there are no deals.
    pub fn new(
        game: &'static dyn AnyGame,
        rules: &Value,
        bots: Vec<Player>,
        deals: u64,
        seed: u64,
    ) -> Result<Self, ArenaError> {
        let rules = game.rules(rules)?;
        let players = game.table(&rules, 0)?.seats();
        if bots.len() != 2 && bots.len() != players {
            return Err(ArenaError::Bots { given: bots.len(), players });
        }
        if deals == 0 {
            return Err(ArenaError::NoDeals);
        }
        Ok(Self { game, rules, players, bots, deals, seed })
    }

    /// Number of units.
    pub fn units(&self) -> u64 {
        self.deals.div_ceil(UNIT)
    }

    /// Number of sessions in the whole contest.
    pub fn sessions(&self) -> u64 {
        self.deals * self.players as u64
    }

    /// The seed of the session that is played as deal `deal`, from 0.
    pub fn deal_seed(&self, deal: u64) -> u64 {
        derive(self.seed, &[0, deal])
    }

    /// The bot that sits in `seat` when everyone has moved on by `turn` seats.
    pub fn seated(&self, turn: usize, seat: usize) -> usize {
        let from_first = (seat + self.players - turn) % self.players;
        if self.bots.len() == self.players { from_first } else { usize::from(from_first != 0) }
    }

    /// Plays unit `unit` (from 0): up to [`UNIT`] deals from every seat, all side by side. `clock` tells
    /// the time since any fixed moment; nothing but the times per move depends on it.
    ///
    /// # Errors
    /// None in a contest that was made by [`Contest::new`], unless the game changes its mind.
    pub fn play(&self, unit: u64, clock: &mut dyn FnMut() -> Duration) -> Result<Unit, RulesError> {
        let deals: Vec<u64> = (unit * UNIT..self.deals.min((unit + 1) * UNIT)).collect();
        let lanes = deals.len() * self.players;
        let options = BatchOptions { lanes, skip_forced: true, reveal: false };
        let mut env = self.game.batch_env(std::slice::from_ref(&self.rules), options)?;
        let mut batch = env.batch();
        for lane in 0..lanes {
            env.start(lane, 0, self.deal_seed(deals[lane / self.players]), &mut batch);
        }
        let stream = |bot| derive(self.seed, &[1, unit, bot as u64]);
        let mut bots: Vec<_> =
            self.bots.iter().enumerate().map(|(bot, player)| player.bot(stream(bot))).collect();
        let tally = Tally { group: Group::default(), places: vec![0; self.players] };
        let mut result = Unit {
            deals: vec![vec![tally; bots.len()]; deals.len()],
            times: vec![Durations::default(); bots.len()],
            rounds: 0,
            others: 0,
        };
        let mut rounds = vec![0; lanes];
        let mut asked: Vec<Vec<usize>> = vec![Vec::with_capacity(lanes); bots.len()];
        let mut picks = vec![ActionId::default(); lanes];
        loop {
            asked.iter_mut().for_each(Vec::clear);
            let mut idle = true;
            for lane in 0..lanes {
                let turn = lane % self.players;
                match batch.state[lane] {
                    LaneState::Decide => asked[self.seated(turn, batch.seat[lane].index())].push(lane),
                    LaneState::RoundOver | LaneState::SessionOver => {
                        let deal = &mut result.deals[lane / self.players];
                        result.others |= 1 << self.count(turn, &batch.payoff[lane], deal);
                        rounds[lane] += 1;
                    }
                    LaneState::Idle => continue,
                }
                idle = false;
            }
            if idle {
                break;
            }
            for ((bot, lanes), times) in bots.iter_mut().zip(&asked).zip(&mut result.times) {
                if !lanes.is_empty() {
                    let start = clock();
                    bot.choose(Ask { env: env.as_ref(), batch: &batch, lanes }, &mut picks);
                    times.add(clock().saturating_sub(start), lanes.len());
                }
            }
            env.step(&picks, &mut batch);
        }
        result.rounds = rounds.into_iter().max().unwrap_or(0);
        Ok(result)
    }

    /// Adds a finished round to the tallies of its deal; how many players it had besides the first.
    fn count(&self, turn: usize, payoff: &Payoff, deal: &mut [Tally]) -> i64 {
        let others = payoff.place.iter().filter(|&&place| place != 0).count() as i64 - 1;
        for seat in 0..self.players {
            let Some((margin, _)) = payoff.margin(seat) else { continue };
            let place = i64::from(payoff.place[seat]);
            let tally = &mut deal[self.seated(turn, seat)];
            tally.group.sums[SCORE] += SCALE / others * i64::from(margin);
            tally.group.sums[FIRST] += i64::from(place == 1);
            tally.group.sums[POINTS] += i64::from(payoff.points[seat]);
            tally.group.count += 1;
            tally.places[place as usize - 1] += 1;
        }
        others
    }

    /// The report over all units, given in the order of their numbers.
    pub fn report(&self, units: &[Unit]) -> Report {
        // In lowest terms, so that a table whose players stay has the figures of their number.
        let others = units.iter().fold(0, |all, unit| all | unit.others);
        let common = |n: &i64| (1..=11).all(|k| others >> k & 1 == 0 || n % k == 0);
        let scale = (1..=SCALE).find(common).unwrap_or(SCALE);
        let bots = self.bots.iter().enumerate().map(|(bot, player)| {
            let tallies = || units.iter().flat_map(|unit| unit.deals.iter().map(|deal| &deal[bot]));
            let lowest = |mut group: Group<3>| {
                group.sums[SCORE] /= SCALE / scale;
                group
            };
            let groups: Vec<Group<3>> = tallies().map(|tally| lowest(tally.group)).collect();
            let [score, first_rate, points] = bootstrap(&groups, derive(self.seed, &[2]));
            let scale = scale as f64;
            let place_score =
                Interval { mean: score.mean / scale, low: score.low / scale, high: score.high / scale };
            let samples: u64 = groups.iter().map(|group| group.count).sum();
            let share = |place| {
                tallies().map(|tally| tally.places[place]).sum::<u64>() as f64 / samples.max(1) as f64
            };
            let mut times = Durations::default();
            units.iter().for_each(|unit| times.merge(&unit.times[bot]));
            let ms_per_move = Millis { p50: times.quantile(0.5), p99: times.quantile(0.99) };
            let places = (0..self.players).map(share).collect();
            BotReport { name: player.name().to_owned(), place_score, first_rate, points, places, ms_per_move }
        });
        Report {
            game: self.game.name().to_owned(),
            players: self.players,
            rules: self.rules.clone(),
            deals: self.deals,
            rounds: units.iter().map(|unit| unit.rounds).max().unwrap_or(0),
            seed: self.seed,
            bots: bots.collect(),
        }
    }

    /// Plays all units one after the other and reports.
    ///
    /// # Errors
    /// As [`Contest::play`].
    pub fn run(&self, clock: &mut dyn FnMut() -> Duration) -> Result<Report, RulesError> {
        let units = (0..self.units()).map(|unit| self.play(unit, clock)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.report(&units))
    }
}

#[cfg(test)]
mod tests;
