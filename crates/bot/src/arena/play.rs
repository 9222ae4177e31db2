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
use crate::bot::{Bot, DecisionBatch, Fault, Faults};
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
    pub fn play_until(
        &self,
        unit: u64,
        clock: &mut dyn FnMut() -> Duration,
        stop: &AtomicBool,
    ) -> ContestUnit {
        let mut run = ContestRun::new(self, unit);
        while run.sort_lanes() && run.choose(clock, stop) {
            run.step();
        }
        run.finish()
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

    /// Adds a decision to the habits of its bot.
    fn count_habits(
        &self,
        lane: usize,
        env: &dyn BatchEnv,
        batch: &Batch,
        picks: &[ActionId],
        unit: &mut ContestUnit,
    ) {
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

/// A unit in play: one lane for each deal and seat.
struct ContestRun<'a> {
    contest: &'a Contest,
    env: Box<dyn BatchEnv>,
    batch: Batch,
    /// `[bots]`: the players; none for a bot without a seat in this unit.
    bots: Vec<Option<Box<dyn Bot>>>,
    /// `[bots]`: the lanes in which the bot must choose now.
    asked: Vec<Vec<usize>>,
    /// `[lanes]`: the chosen moves.
    picks: Vec<ActionId>,
    /// `[lanes]`: rounds played.
    rounds: Vec<u64>,
    /// `[lanes]`: places by round and original seat; empty unless the contest is a round robin.
    places: Vec<Vec<[u8; MAX_SEATS]>>,
    result: ContestUnit,
}

impl<'a> ContestRun<'a> {
    /// Starts all sessions of a unit.
    fn new(contest: &'a Contest, unit: u64) -> Self {
        let deals: Vec<u64> = contest.deals_of(unit).collect();
        let players = contest.players;
        let lanes = deals.len() * players;
        let mut env =
            contest.rules.batch(BatchOptions { lanes, skip_forced: true, rows: false, reveal: false });
        let mut batch = env.batch();
        let mut result = ContestUnit {
            deals: deals.iter().map(|&deal| contest.empty(contest.schedule.lineup(deal))).collect(),
            times: vec![Durations::default(); contest.bots.len()],
            rounds: 0,
            played: 0,
            others: 0,
            kept: Vec::new(),
            faults: Vec::new(),
            first_faults: Vec::new(),
        };
        // Deals come in order, each with all its lanes.
        for &deal in deals.iter().filter(|&&deal| deal < contest.kept) {
            result.kept.extend((0..players).map(|turn| Picks {
                deal,
                turn,
                picks: Vec::new(),
                random: Vec::new(),
            }));
        }
        let sits = |bot| result.deals.iter().any(|deal| deal.of(bot).is_some());
        let stream = |bot| derive(contest.seed, &[1, unit, bot as u64]);
        let bots: Vec<Option<Box<dyn Bot>>> = (contest.bots.iter().enumerate())
            .map(|(bot, player)| sits(bot).then(|| player.bot(stream(bot))))
            .collect();
        for lane in 0..lanes {
            let bot = |seat| result.deals[lane / players].lineup.bot(contest.slot(lane % players, seat));
            let listens = |seat| bots[bot(seat)].as_ref().is_some_and(|bot| bot.listens());
            let mut seats = Positions::default();
            (0..players).filter(|&seat| listens(seat)).for_each(|seat| seats.insert(seat as u8));
            env.listen(lane, seats);
            env.start(lane, 0, contest.deal_seed(deals[lane / players]), &mut batch);
        }
        let mut run = Self {
            contest,
            env,
            batch,
            asked: vec![Vec::with_capacity(lanes); bots.len()],
            bots,
            picks: vec![ActionId::default(); lanes],
            rounds: vec![0; lanes],
            places: vec![Vec::new(); lanes],
            result,
        };
        run.send_events();
        run
    }

    /// Sorts lanes with a decision by bot, and counts rounds that are over. Returns false once all sessions are over.
    fn sort_lanes(&mut self) -> bool {
        let Self { contest, batch, result, .. } = self;
        let players = contest.players;
        let keeps_places = matches!(contest.schedule, LineupSchedule::RoundRobin { .. });
        self.asked.iter_mut().for_each(Vec::clear);
        let mut active = false;
        for lane in 0..self.picks.len() {
            let deal = &mut result.deals[lane / players];
            match batch.state[lane] {
                LaneState::Decide => {
                    let slot = contest.slot(lane % players, batch.seat[lane].index());
                    self.asked[deal.lineup.bot(slot)].push(lane);
                }
                LaneState::RoundOver | LaneState::SessionOver => {
                    let others = contest.count(lane, batch, deal);
                    result.others |= 1 << others;
                    if keeps_places {
                        let payoff = &batch.payoff[lane];
                        let mut by_slot = [0; MAX_SEATS];
                        (0..players).for_each(|seat| {
                            by_slot[contest.slot(lane % players, seat)] = payoff.place[seat];
                        });
                        self.places[lane].push(by_slot);
                    }
                    self.rounds[lane] += 1;
                }
                LaneState::Idle => continue,
            }
            active = true;
        }
        active
    }

    /// Lets each bot choose in its lanes. Returns false once `stop` is set.
    fn choose(&mut self, clock: &mut dyn FnMut() -> Duration, stop: &AtomicBool) -> bool {
        let (env, batch) = (self.env.as_ref(), &self.batch);
        for ((bot, lanes), times) in self.bots.iter_mut().zip(&self.asked).zip(&mut self.result.times) {
            if let Some(bot) = bot
                && !lanes.is_empty()
            {
                let start = clock();
                bot.choose(DecisionBatch { env, batch, lanes, stop }, &mut self.picks);
                times.add(clock().saturating_sub(start), lanes.len());
            }
        }
        !stop.load(Ordering::Relaxed)
    }

    /// Records the chosen moves and plays them.
    fn step(&mut self) {
        let Self { contest, env, batch, picks, result, .. } = self;
        let deciding = |lane: &usize| batch.state[*lane] == LaneState::Decide;
        if contest.with_habits {
            let lanes = (0..picks.len()).filter(deciding);
            lanes.for_each(|lane| contest.count_habits(lane, env.as_ref(), batch, picks, result));
        }
        let kept = result.kept.iter_mut().enumerate();
        kept.filter(|(lane, _)| deciding(lane)).for_each(|(lane, kept)| kept.picks.push(picks[lane]));
        env.step(picks, batch);
        self.send_events();
    }

    /// Sends the event log lines of the last step to the bots that listen.
    fn send_events(&mut self) {
        let players = self.contest.players;
        for lane in 0..self.env.lanes() {
            for (seat, line) in self.env.event_lines(lane) {
                let slot = self.contest.slot(lane % players, seat.index());
                if let Some(bot) = &mut self.bots[self.result.deals[lane / players].lineup.bot(slot)] {
                    bot.hear(lane, *seat, line);
                }
            }
        }
    }

    /// Returns the results.
    fn finish(self) -> ContestUnit {
        let Self { contest, mut bots, mut result, places, rounds, .. } = self;
        let players = contest.players;
        for (lane, places) in places.into_iter().enumerate() {
            result.deals[lane / players].places.extend(places);
        }
        for (lane, kept) in result.kept.iter_mut().enumerate() {
            let lineup = &result.deals[lane / players].lineup;
            let bot = |seat| &bots[lineup.bot(contest.slot(lane % players, seat))];
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
}
