//! Plays contests, unit by unit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cardsharp_env::batch::{Batch, BatchEnv, BatchOptions, LaneState};
use cardsharp_env::hands::Positions;
use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, Contract, MAX_SEATS, Payoff, Seat};
use serde::{Deserialize, Serialize};

use super::contest::Contest;
use super::games::Picks;
use super::schedule::{Lineup, LineupSchedule};
use crate::bot::{DecisionBatch, Bot, Fault, Faults};
use crate::stats::{Durations, SampleGroup};

/// Indices of the sums of a bot in one deal: place score, first places, points, and points ahead.
pub(super) const SCORE: usize = 0;
pub(super) const FIRST: usize = 1;
pub(super) const POINTS: usize = 2;
pub(super) const AHEAD: usize = 3;
/// The factor of the sums of place scores and points ahead. It is a multiple of every possible number of opponents, so
/// the sums are whole numbers.
pub(super) const SCALE: i64 = 27_720;

/// The results of one bot in one deal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DealTally {
    pub(super) group: SampleGroup<4>,
    /// Rounds by place, best first.
    pub(super) places: Vec<u64>,
    /// Contracts by kind: undertaken, made, and the sum of the declarers' points.
    pub(super) contracts: Vec<(u64, u64, i64)>,
    /// Decisions; 0 unless habits were asked for.
    pub(super) decisions: u64,
    /// Moves by habit; empty unless habits were asked for.
    pub(super) habits: Vec<u64>,
}

/// One deal, played from every seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PlayedDeal {
    pub(super) lineup: Lineup,
    /// The results of each bot at the table, in the order of [`Lineup::sitting`].
    pub(super) tallies: Vec<DealTally>,
    /// The places of each round, by the original seats of the bots (the order of [`Lineup`]). The sessions follow each
    /// other, each with its rounds in order. Empty unless the contest is a round robin.
    pub(super) places: Vec<[u8; MAX_SEATS]>,
}

/// The games of one unit. [`Contest::play`] returns it, and [`Contest::report`] reads it. It serializes, so another
/// process can play it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestUnit {
    pub(super) deals: Vec<PlayedDeal>,
    /// `[bots]`: the times per move.
    pub(super) times: Vec<Durations>,
    /// The most rounds that a session had.
    pub(super) rounds: u64,
    /// Rounds of all sessions together.
    played: u64,
    /// Bit `k` is set if a round had `k + 1` players.
    pub(super) others: u16,
    /// The sessions that the report records.
    pub(super) kept: Vec<Picks>,
    /// Faults of programs, `[bots]`.
    pub(super) faults: Vec<Faults>,
    /// The first fault of each program, `[bots]`.
    pub(super) first_faults: Vec<Option<Fault>>,
}

impl ContestUnit {
    /// Returns the number of rounds in all sessions together.
    pub fn rounds_played(&self) -> u64 {
        self.played
    }
}

impl PlayedDeal {
    /// Returns the results of `bot`, if it sat at the table.
    pub(super) fn of(&self, bot: usize) -> Option<&DealTally> {
        self.lineup.sitting().position(|sitting| sitting == bot).map(|at| &self.tallies[at])
    }
}

impl Contest {
    /// Plays unit `unit` (from 0): up to [`super::UNIT`] deals from every seat, all in one batch. `clock` returns the
    /// time since any fixed moment. Only the times per move depend on it.
    pub fn play(&self, unit: u64, clock: &mut dyn FnMut() -> Duration) -> ContestUnit {
        self.play_until(unit, clock, &AtomicBool::new(false))
    }

    /// Works as [`Contest::play`]. Once `stop` is set, it returns early with an incomplete unit, which must be
    /// discarded.
    pub fn play_until(&self, unit: u64, clock: &mut dyn FnMut() -> Duration, stop: &AtomicBool) -> ContestUnit {
        let deals: Vec<u64> = self.deals_of(unit).collect();
        let players = self.players;
        let lanes = deals.len() * players;
        let options = BatchOptions { lanes, skip_forced: true, rows: false, reveal: false };
        let mut env = self.rules.batch(options);
        let mut batch = env.batch();
        let mut result = ContestUnit {
            deals: deals.iter().map(|&deal| self.empty(self.schedule.lineup(deal))).collect(),
            times: vec![Durations::default(); self.bots.len()],
            rounds: 0,
            played: 0,
            others: 0,
            kept: Vec::new(),
            faults: Vec::new(),
            first_faults: Vec::new(),
        };
        // Deals come in order, each with all its lanes.
        for &deal in deals.iter().filter(|&&deal| deal < self.kept) {
            result.kept.extend((0..players).map(|turn| Picks {
                deal,
                turn,
                picks: Vec::new(),
                random: Vec::new(),
            }));
        }
        let sits = |bot| result.deals.iter().any(|deal| deal.of(bot).is_some());
        let stream = |bot| derive(self.seed, &[1, unit, bot as u64]);
        let mut bots: Vec<Option<Box<dyn Bot>>> = (self.bots.iter().enumerate())
            .map(|(bot, player)| sits(bot).then(|| player.bot(stream(bot))))
            .collect();
        for lane in 0..lanes {
            let bot = |seat| result.deals[lane / players].lineup.bot(self.slot(lane % players, seat));
            let listens = |seat| bots[bot(seat)].as_ref().is_some_and(|bot| bot.listens());
            let mut seats = Positions::default();
            (0..players).filter(|&seat| listens(seat)).for_each(|seat| seats.insert(seat as u8));
            env.listen(lane, seats);
            env.start(lane, 0, self.deal_seed(deals[lane / players]), &mut batch);
        }
        self.tell(env.as_ref(), &result.deals, &mut bots);
        let keeps_places = matches!(self.schedule, LineupSchedule::RoundRobin { .. });
        let mut places = vec![Vec::new(); lanes];
        let mut rounds = vec![0; lanes];
        let mut asked: Vec<Vec<usize>> = vec![Vec::with_capacity(lanes); bots.len()];
        let mut picks = vec![ActionId::default(); lanes];
        loop {
            asked.iter_mut().for_each(Vec::clear);
            let mut idle = true;
            for lane in 0..lanes {
                let deal = &mut result.deals[lane / players];
                match batch.state[lane] {
                    LaneState::Decide => {
                        let slot = self.slot(lane % players, batch.seat[lane].index());
                        asked[deal.lineup.bot(slot)].push(lane);
                    }
                    LaneState::RoundOver | LaneState::SessionOver => {
                        let others = self.count(lane, &batch, deal);
                        result.others |= 1 << others;
                        if keeps_places {
                            let payoff = &batch.payoff[lane];
                            let mut by_slot = [0; MAX_SEATS];
                            (0..players).for_each(|seat| {
                                by_slot[self.slot(lane % players, seat)] = payoff.place[seat];
                            });
                            places[lane].push(by_slot);
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
                if let Some(bot) = bot
                    && !lanes.is_empty()
                {
                    let start = clock();
                    bot.choose(DecisionBatch { env: env.as_ref(), batch: &batch, lanes, stop }, &mut picks);
                    times.add(clock().saturating_sub(start), lanes.len());
                }
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
            if self.with_habits {
                let lanes = (0..lanes).filter(|&lane| batch.state[lane] == LaneState::Decide);
                lanes.for_each(|lane| self.watch(lane, env.as_ref(), &batch, &picks, &mut result));
            }
            for (lane, kept) in result.kept.iter_mut().enumerate() {
                if batch.state[lane] == LaneState::Decide {
                    kept.picks.push(picks[lane]);
                }
            }
            env.step(&picks, &mut batch);
            self.tell(env.as_ref(), &result.deals, &mut bots);
        }
        for (lane, places) in places.into_iter().enumerate() {
            result.deals[lane / players].places.extend(places);
        }
        for (lane, kept) in result.kept.iter_mut().enumerate() {
            let lineup = &result.deals[lane / players].lineup;
            let bot = |seat| &bots[lineup.bot(self.slot(lane % players, seat))];
            let random = |seat| bot(seat).as_ref().map_or(0, |bot| bot.random_moves(lane, Seat(seat as u8)));
            kept.random = (0..players).map(random).collect();
        }
        let faults = |bot: &Option<Box<dyn Bot>>| bot.as_ref().and_then(|bot| bot.faults());
        result.faults = bots.iter().map(|bot| faults(bot).unwrap_or_default()).collect();
        result.first_faults = bots.iter_mut().map(|bot| bot.as_mut()?.take_fault()).collect();
        result.played = rounds.iter().sum();
        result.rounds = rounds.into_iter().max().unwrap_or(0);
        result
    }

    /// Sends the event log lines of the last step to the bots that listen.
    fn tell(&self, env: &dyn BatchEnv, deals: &[PlayedDeal], bots: &mut [Option<Box<dyn Bot>>]) {
        for lane in 0..env.lanes() {
            for (seat, line) in env.event_lines(lane) {
                let slot = self.slot(lane % self.players, seat.index());
                if let Some(bot) = &mut bots[deals[lane / self.players].lineup.bot(slot)] {
                    bot.hear(lane, *seat, line);
                }
            }
        }
    }

    /// Returns a deal without results.
    fn empty(&self, lineup: Lineup) -> PlayedDeal {
        let habits = if self.with_habits { self.rules.game().habits().len() } else { 0 };
        let tally = DealTally {
            places: vec![0; self.players],
            contracts: vec![(0, 0, 0); self.rules.game().contracts().len()],
            habits: vec![0; habits],
            ..DealTally::default()
        };
        PlayedDeal { lineup, tallies: vec![tally; lineup.sitting().count()], places: Vec::new() }
    }

    /// Adds a decision to the results of its deal.
    fn watch(&self, lane: usize, env: &dyn BatchEnv, batch: &Batch, picks: &[ActionId], unit: &mut ContestUnit) {
        let deal = &mut unit.deals[lane / self.players];
        let slot = self.slot(lane % self.players, batch.seat[lane].index());
        let tally = &mut deal.tallies[deal.lineup.place_of(slot)];
        tally.decisions += 1;
        let kinds = env.view(lane).map_or(0, |view| view.habits(picks[lane]));
        let habits = tally.habits.iter_mut().enumerate();
        habits.for_each(|(kind, count)| *count += u64::from(kinds >> kind & 1));
    }

    /// Adds a finished round to the results of its deal. Returns the number of players in the round minus 1.
    fn count(&self, lane: usize, batch: &Batch, deal: &mut PlayedDeal) -> i64 {
        let (payoff, turn): (&Payoff, usize) = (&batch.payoff[lane], lane % self.players);
        let others = payoff.place.iter().filter(|&&place| place != 0).count() as i64 - 1;
        // Seats that sat the round out have no points.
        let total: i64 = payoff.points.iter().map(|&points| i64::from(points)).sum();
        for seat in 0..self.players {
            let Some((margin, _)) = payoff.margin(seat) else { continue };
            let (place, points) = (i64::from(payoff.place[seat]), i64::from(payoff.points[seat]));
            let tally = &mut deal.tallies[deal.lineup.place_of(self.slot(turn, seat))];
            tally.group.sums[SCORE] += SCALE / others * i64::from(margin);
            tally.group.sums[FIRST] += i64::from(place == 1);
            tally.group.sums[POINTS] += points;
            tally.group.sums[AHEAD] += SCALE / others * (others * points - (total - points));
            tally.group.count += 1;
            tally.places[place as usize - 1] += 1;
        }
        if let Some(Contract { seat, kind, made }) = batch.contract[lane] {
            let tally = &mut deal.tallies[deal.lineup.place_of(self.slot(turn, seat.index()))];
            let counts = &mut tally.contracts[kind];
            let points = i64::from(payoff.points[seat.index()]);
            *counts = (counts.0 + 1, counts.1 + u64::from(made), counts.2 + points);
        }
        others
    }
}
