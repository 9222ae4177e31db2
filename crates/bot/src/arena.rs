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
use cardsharp_env::{ActionId, AnyGame, Contract, Payoff, RulesError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bot::Ask;
use crate::bots::Player;
use crate::stats::{Durations, Group, bootstrap};

pub use crate::stats::Interval;

/// Deals in a unit: enough games side by side for batched inference, few enough for many threads.
pub const UNIT: u64 = 16;

/// Place score, first places, points, and points ahead of a bot in one deal, in the order of these places.
const SCORE: usize = 0;
const FIRST: usize = 1;
const POINTS: usize = 2;
const AHEAD: usize = 3;
/// What place scores and points ahead are multiplied with while they are added up: a multiple of every
/// number of players less one, so that they are whole numbers whoever plays.
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
    /// The seats are not filled with bots.
    #[error("expected {players} numbers from 0 to {}, every one of them at least once: which bot takes which seat", bots - 1)]
    Seats {
        /// How many seats a session has.
        players: usize,
        /// How many bots there are.
        bots: usize,
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
    /// The bot of each seat when a deal is first played.
    seats: Vec<usize>,
    bots: Vec<Player>,
    deals: u64,
    seed: u64,
}

/// What one bot did in one deal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tally {
    group: Group<4>,
    /// Rounds by place, best first.
    places: Vec<u64>,
    /// Contracts by kind: undertaken, made, and the points of who undertook them.
    contracts: Vec<(u64, u64, i64)>,
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
    /// The bot of each seat, as a place in `bots`, when a deal is first played; left out where the first
    /// bot sits alone or every bot has a seat of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<usize>,
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
    /// Points less the mean of the other seats' in the same round. Reports of older programs have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points_ahead: Option<Interval>,
    /// Share of each place, best first, `[players]`; they add up to 1.
    pub places: Vec<f64>,
    /// What it undertook, in games with contracts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<Contracts>,
    /// Time per move.
    pub ms_per_move: Millis,
}

/// How often a bot undertook one kind of contract, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contracts {
    /// The kind.
    pub name: String,
    /// How many.
    pub count: u64,
    /// Share of the bot's rounds in which it was undertaken, 0 to 1.
    pub share: f64,
    /// Share of them that were made, 0 to 1.
    pub made: f64,
    /// Mean points of who undertook them.
    pub points: f64,
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
        let seats = usual(bots.len(), players);
        Ok(Self { game, rules, seats, bots, deals, seed })
    }

    /// The same contest with bot `seats[s]` in seat `s` when a deal is first played: partners, for
    /// example, or several copies of each bot.
    ///
    /// # Errors
    /// The list does not fill the seats, or leaves a bot out.
    pub fn seated_as(self, seats: Vec<usize>) -> Result<Self, ArenaError> {
        let (players, bots) = (self.seats.len(), self.bots.len());
        let known = seats.len() == players && seats.iter().all(|&bot| bot < bots);
        if !known || !(0..bots).all(|bot| seats.contains(&bot)) {
            return Err(ArenaError::Seats { players, bots });
        }
        Ok(Self { seats, ..self })
    }

    /// Number of units.
    pub fn units(&self) -> u64 {
        self.deals.div_ceil(UNIT)
    }

    /// Number of sessions in the whole contest.
    pub fn sessions(&self) -> u64 {
        self.deals * self.seats.len() as u64
    }

    /// The seed of the session that is played as deal `deal`, from 0.
    pub fn deal_seed(&self, deal: u64) -> u64 {
        derive(self.seed, &[0, deal])
    }

    /// The bot that sits in `seat` when everyone has moved on by `turn` seats.
    pub fn seated(&self, turn: usize, seat: usize) -> usize {
        let players = self.seats.len();
        self.seats[(seat + players - turn) % players]
    }

    /// Plays unit `unit` (from 0): up to [`UNIT`] deals from every seat, all side by side. `clock` tells
    /// the time since any fixed moment; nothing but the times per move depends on it.
    ///
    /// # Errors
    /// None in a contest that was made by [`Contest::new`], unless the game changes its mind.
    pub fn play(&self, unit: u64, clock: &mut dyn FnMut() -> Duration) -> Result<Unit, RulesError> {
        let deals: Vec<u64> = (unit * UNIT..self.deals.min((unit + 1) * UNIT)).collect();
        let players = self.seats.len();
        let lanes = deals.len() * players;
        let options = BatchOptions { lanes, skip_forced: true, reveal: false };
        let mut env = self.game.batch_env(std::slice::from_ref(&self.rules), options)?;
        let mut batch = env.batch();
        for lane in 0..lanes {
            env.start(lane, 0, self.deal_seed(deals[lane / players]), &mut batch);
        }
        let stream = |bot| derive(self.seed, &[1, unit, bot as u64]);
        let mut bots: Vec<_> =
            self.bots.iter().enumerate().map(|(bot, player)| player.bot(stream(bot))).collect();
        let contracts = vec![(0, 0, 0); self.game.contracts().len()];
        let tally = Tally { group: Group::default(), places: vec![0; players], contracts };
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
                let turn = lane % players;
                match batch.state[lane] {
                    LaneState::Decide => asked[self.seated(turn, batch.seat[lane].index())].push(lane),
                    LaneState::RoundOver | LaneState::SessionOver => {
                        let deal = &mut result.deals[lane / players];
                        result.others |= 1 << self.count(turn, &batch.payoff[lane], deal);
                        if let Some(Contract { seat, kind, made }) = batch.contract[lane] {
                            let counts = &mut deal[self.seated(turn, seat.index())].contracts[kind];
                            let points = i64::from(batch.payoff[lane].points[seat.index()]);
                            *counts = (counts.0 + 1, counts.1 + u64::from(made), counts.2 + points);
                        }
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
        // Seats that sat the round out have no points.
        let total: i64 = payoff.points.iter().map(|&points| i64::from(points)).sum();
        for seat in 0..self.seats.len() {
            let Some((margin, _)) = payoff.margin(seat) else { continue };
            let (place, points) = (i64::from(payoff.place[seat]), i64::from(payoff.points[seat]));
            let tally = &mut deal[self.seated(turn, seat)];
            tally.group.sums[SCORE] += SCALE / others * i64::from(margin);
            tally.group.sums[FIRST] += i64::from(place == 1);
            tally.group.sums[POINTS] += points;
            tally.group.sums[AHEAD] += SCALE / others * (others * points - (total - points));
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
            let lowest = |mut group: Group<4>| {
                group.sums[SCORE] /= SCALE / scale;
                group.sums[AHEAD] /= SCALE / scale;
                group
            };
            let groups: Vec<Group<4>> = tallies().map(|tally| lowest(tally.group)).collect();
            let [score, first_rate, points, ahead] = bootstrap(&groups, derive(self.seed, &[2]));
            let scale = scale as f64;
            let scaled =
                |of: Interval| Interval { mean: of.mean / scale, low: of.low / scale, high: of.high / scale };
            let (place_score, points_ahead) = (scaled(score), Some(scaled(ahead)));
            let samples: u64 = groups.iter().map(|group| group.count).sum();
            let share = |place| {
                tallies().map(|tally| tally.places[place]).sum::<u64>() as f64 / samples.max(1) as f64
            };
            let mut times = Durations::default();
            units.iter().for_each(|unit| times.merge(&unit.times[bot]));
            let ms_per_move = Millis { p50: times.quantile(0.5), p99: times.quantile(0.99) };
            let places = (0..self.seats.len()).map(share).collect();
            let contracts = self.game.contracts().iter().enumerate().map(|(kind, name)| {
                let sum = |(count, made, points), tally: &Tally| {
                    let (more, kept, gained) = tally.contracts[kind];
                    (count + more, made + kept, points + gained)
                };
                let (count, made, points) = tallies().fold((0, 0, 0), sum);
                let per = |sum: f64, of: u64| sum / of.max(1) as f64;
                Contracts {
                    name: (*name).to_owned(),
                    count,
                    share: per(count as f64, samples),
                    made: per(made as f64, count),
                    points: per(points as f64, count),
                }
            });
            let (name, contracts) = (player.name().to_owned(), contracts.collect());
            BotReport { name, place_score, first_rate, points, points_ahead, places, contracts, ms_per_move }
        });
        Report {
            game: self.game.name().to_owned(),
            players: self.seats.len(),
            rules: self.rules.clone(),
            deals: self.deals,
            rounds: units.iter().map(|unit| unit.rounds).max().unwrap_or(0),
            seed: self.seed,
            seats: if self.seats == usual(self.bots.len(), self.seats.len()) {
                Vec::new()
            } else {
                self.seats.clone()
            },
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

/// Who sits where if nothing else is said: every bot in a seat of its own, or the first of two alone.
fn usual(bots: usize, players: usize) -> Vec<usize> {
    (0..players).map(|seat| if bots == players { seat } else { seat.min(1) }).collect()
}

#[cfg(test)]
mod tests;
