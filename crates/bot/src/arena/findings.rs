//! Computes the report of a contest from its games.

use std::time::Duration;

use cardsharp_env::rng::derive;

use super::contest::{Contest, usual};
use super::play::{AHEAD, ContestUnit, DealTally, PlayedDeal, SCALE, SCORE};
use super::ratings;
use super::report::{BotReport, Contracts, Habit, HabitCounts, Meeting, Millis, Report, RoundRobin};
use super::schedule::LineupSchedule;
use crate::bot::Fault;
use crate::stats::{Durations, Interval, SampleGroup, bootstrap};

/// Computes confidence intervals from the sums of each deal and a seed.
pub(super) type Intervals = fn(&[SampleGroup<4>], u64) -> [Interval; 4];

impl Contest {
    /// Returns the report over all units, which must be in the order of their numbers.
    pub fn report(&self, units: &[ContestUnit]) -> Report {
        let mut report = self.report_with(units, bootstrap);
        if matches!(self.schedule, LineupSchedule::RoundRobin { .. }) {
            self.add_round_robin(units, &mut report);
        }
        report
    }

    /// Plays all units in order and returns the report.
    pub fn run(&self, clock: &mut dyn FnMut() -> Duration) -> Report {
        let units: Vec<ContestUnit> = (0..self.units()).map(|unit| self.play(unit, clock)).collect();
        self.report(&units)
    }

    /// Returns the report over some units, with intervals from `intervals`.
    pub(super) fn report_with(&self, units: &[ContestUnit], intervals: Intervals) -> Report {
        let bots = (0..self.bots.len()).map(|bot| self.bot_report(units, bot, intervals));
        let unusual = |seats: &Vec<usize>| *seats != usual(self.bots.len(), self.players);
        let seats = match &self.schedule {
            LineupSchedule::Fixed(lineup) => (0..self.players).map(|seat| lineup.bot(seat)).collect(),
            LineupSchedule::RoundRobin { .. } => Vec::new(),
        };
        Report {
            game: self.rules.game().name().to_owned(),
            players: self.players,
            rules: self.rules.json().clone(),
            deals: deals(units).count() as u64,
            rounds: units.iter().map(|unit| unit.rounds).max().unwrap_or(0),
            seed: self.seed,
            seats: Some(seats).filter(unusual).unwrap_or_default(),
            bots: bots.collect(),
            round_robin: None,
            sprt: None,
            games: units.iter().flat_map(|unit| &unit.kept).map(|picks| self.game(picks)).collect(),
        }
    }

    fn bot_report(&self, units: &[ContestUnit], bot: usize, intervals: Intervals) -> BotReport {
        let scale = scale(units);
        let tallies: Vec<&DealTally> = deals(units).filter_map(|deal| deal.of(bot)).collect();
        let groups: Vec<SampleGroup<4>> = tallies.iter().map(|tally| lowest(tally.group, scale)).collect();
        let [score, first_rate, points, ahead] = intervals(&groups, derive(self.seed, &[2]));
        let rounds: u64 = groups.iter().map(|group| group.count).sum();
        let per = |sum: f64, of: u64| sum / of.max(1) as f64;
        let share = |place| per(tallies.iter().map(|tally| tally.places[place]).sum::<u64>() as f64, rounds);
        let mut times = Durations::default();
        units.iter().for_each(|unit| times.merge(&unit.times[bot]));
        let contracts = self.rules.game().contracts().iter().enumerate().map(|(kind, name)| {
            let sum = |(count, made, points), tally: &&DealTally| {
                let (more, kept, gained) = tally.contracts[kind];
                (count + more, made + kept, points + gained)
            };
            let (count, made, points) = tallies.iter().fold((0, 0, 0), sum);
            Contracts {
                name: (*name).to_owned(),
                count,
                share: per(count as f64, rounds),
                made: per(made as f64, count),
                points: per(points as f64, count),
            }
        });
        let decisions: u64 = tallies.iter().map(|tally| tally.decisions).sum();
        let kinds = self.rules.game().habits().iter().enumerate().map(|(kind, name)| {
            let count: u64 = tallies.iter().filter_map(|tally| tally.habits.get(kind)).sum();
            let (share, per_round) = (per(count as f64, decisions), per(count as f64, rounds));
            Habit { name: (*name).to_owned(), count, share, per_round }
        });
        let habits = self.with_habits.then(|| HabitCounts {
            decisions,
            per_round: per(decisions as f64, rounds),
            kinds: kinds.collect(),
        });
        BotReport {
            name: self.bots[bot].name().to_owned(),
            place_score: scaled(score, scale),
            first_rate,
            points,
            points_ahead: Some(scaled(ahead, scale)),
            places: (0..self.players).map(share).collect(),
            contracts: contracts.collect(),
            habits,
            deals: None,
            rating: None,
            ms_per_move: Some(Millis { p50: times.quantile(0.5), p99: times.quantile(0.99) }),
            faults: self.bots[bot].faults().map(|_| units.iter().map(|unit| unit.faults[bot]).sum()),
            first_fault: first_fault(units, bot),
        }
    }

    fn add_round_robin(&self, units: &[ContestUnit], report: &mut Report) {
        let deals: Vec<&PlayedDeal> = deals(units).collect();
        let names: Vec<&str> = self.bots.iter().map(|bot| bot.name()).collect();
        let (ratings, made) = ratings::rate(&deals, &names, derive(self.seed, &[6]));
        for ((bot, rating), own) in report.bots.iter_mut().zip(ratings).zip(0..) {
            bot.rating = Some(rating);
            bot.deals = Some(deals.iter().filter(|deal| deal.of(own).is_some()).count() as u64);
        }
        let bots = names.len();
        let mut cross_play = vec![vec![None; bots]; bots];
        let pairs = (0..bots).flat_map(|one| (one + 1..bots).map(move |other| (one, other)));
        for (one, other) in pairs {
            let both = deals.iter().filter(|deal| deal.of(one).is_some() && deal.of(other).is_some());
            let groups: Vec<SampleGroup<1>> = both.map(|deal| meeting(deal, one, other)).collect();
            let rounds: u64 = groups.iter().map(|group| group.count).sum();
            if rounds > 0 {
                let seed = derive(self.seed, &[7, one as u64, other as u64]);
                let [ahead] = bootstrap(&groups, seed);
                let behind =
                    Interval { mean: 0.0 - ahead.mean, low: 0.0 - ahead.high, high: 0.0 - ahead.low };
                let deals = groups.len() as u64;
                cross_play[one][other] = Some(Meeting { ahead, deals });
                cross_play[other][one] = Some(Meeting { ahead: behind, deals });
            }
        }
        let tables = self.schedule.tables(report.deals);
        report.round_robin = Some(RoundRobin { tables, cross_play, ratings: made });
    }
}

/// Returns the first fault of a bot, in the order of the units. It prefers a fault with a sent line: once the contest
/// no longer asks a program, its faults have none.
fn first_fault(units: &[ContestUnit], bot: usize) -> Option<Fault> {
    let all = || units.iter().filter_map(|unit| unit.first_faults[bot].as_ref());
    all().find(|fault| fault.sent.is_some()).or_else(|| all().next()).cloned()
}

/// Returns the deals of some units.
pub(super) fn deals(units: &[ContestUnit]) -> impl Iterator<Item = &PlayedDeal> {
    units.iter().flat_map(|unit| &unit.deals)
}

/// Counts the rounds of a deal in which one bot was placed ahead of another, minus those in which it was behind.
fn meeting(deal: &PlayedDeal, one: usize, other: usize) -> SampleGroup<1> {
    let seats = |bot: usize| move |&seat: &usize| deal.lineup.bot(seat) == bot;
    let players = deal.lineup.players();
    let mut group = SampleGroup::default();
    for round in &deal.places {
        for own in (0..players).filter(seats(one)) {
            // A bot that sat the round out was neither ahead nor behind.
            let met = (0..players).filter(seats(other)).filter(|&seat| round[own] != 0 && round[seat] != 0);
            for theirs in met {
                group.sums[0] +=
                    i64::from(round[own] < round[theirs]) - i64::from(round[own] > round[theirs]);
                group.count += 1;
            }
        }
    }
    group
}

/// Returns the smallest common scale of place scores and points ahead. With a constant number of players, the sums are
/// then those of that number.
pub(super) fn scale(units: &[ContestUnit]) -> i64 {
    let others = units.iter().fold(0, |all, unit| all | unit.others);
    let common = |n: &i64| (1..=11).all(|k| others >> k & 1 == 0 || n % k == 0);
    (1..=SCALE).find(common).unwrap_or(SCALE)
}

/// Converts sums that are multiplied by [`SCALE`] to sums that are multiplied by `scale`.
pub(super) fn lowest(mut group: SampleGroup<4>, scale: i64) -> SampleGroup<4> {
    group.sums[SCORE] /= SCALE / scale;
    group.sums[AHEAD] /= SCALE / scale;
    group
}

/// Divides an interval by `scale`.
pub(super) fn scaled(of: Interval, scale: i64) -> Interval {
    let scale = scale as f64;
    Interval { mean: of.mean / scale, low: of.low / scale, high: of.high / scale }
}
