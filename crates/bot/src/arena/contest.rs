//! Defines contests: the bots, the rules, the deals and the seats.

use cardsharp_env::rng::derive;
use cardsharp_env::{GameRules, seed};

use super::ArenaError;
use super::schedule::{LineupSchedule, MOST_BOTS};
use crate::bots::Player;

/// Deals in a unit: enough parallel games for batched inference, and few enough to keep many threads busy.
pub const UNIT: u64 = 16;

/// The most deals of a contest. Results are stored for each deal until the contest ends.
pub const MOST_DEALS: u64 = 100_000_000;

/// A contest: which bots play which rules, and how many deals.
#[derive(Clone)]
pub struct Contest {
    pub(super) rules: GameRules,
    pub(super) players: usize,
    pub(super) bots: Vec<Player>,
    pub(super) schedule: LineupSchedule,
    pub(super) deals: u64,
    pub(super) seed: u64,
    pub(super) with_habits: bool,
    /// The report records the games of this many first deals.
    pub(super) kept: u64,
}

impl Contest {
    /// Creates a contest over `deals` deals by `rules`, which determine the number of players. With two bots, the first
    /// takes one seat and the second all others. With as many bots as players, bot `s` starts in seat `s`. Each deal is
    /// then played again with all bots moved on by one seat, until every bot has had every seat.
    ///
    /// # Errors
    /// The number of bots does not fit, there are no deals, or there are more than [`MOST_DEALS`].
    pub fn new(rules: &GameRules, bots: Vec<Player>, deals: u64, seed: u64) -> Result<Self, ArenaError> {
        let (rules, players) = (rules.clone(), rules.seats());
        if bots.len() != 2 && bots.len() != players {
            return Err(ArenaError::Bots { given: bots.len(), players });
        }
        let seats = usual(bots.len(), players);
        Self::scheduled(rules, players, bots, LineupSchedule::fixed(&seats), deals, seed)
    }

    /// Creates a contest in which every bot meets every other. Each deal has its own table
    /// ([`LineupSchedule::round_robin`]) and is played from every seat.
    ///
    /// # Errors
    /// There are fewer than 2 or more than [`super::schedule::MOST_BOTS`] bots, too few deals for all of them to play,
    /// or more than [`MOST_DEALS`].
    pub fn round_robin(
        rules: &GameRules,
        bots: Vec<Player>,
        deals: u64,
        seed: u64,
    ) -> Result<Self, ArenaError> {
        let (rules, players) = (rules.clone(), rules.seats());
        if !(2..=MOST_BOTS).contains(&bots.len()) {
            return Err(ArenaError::RoundRobin { given: bots.len() });
        }
        few_enough(deals)?;
        let schedule = LineupSchedule::round_robin(bots.len(), players, deals, seed);
        if deals > 0 && deals.saturating_mul(players as u64) < bots.len() as u64 {
            return Err(ArenaError::FewDeals { bots: bots.len(), players });
        }
        Self::scheduled(rules, players, bots, schedule, deals, seed)
    }

    fn scheduled(
        rules: GameRules,
        players: usize,
        bots: Vec<Player>,
        schedule: LineupSchedule,
        deals: u64,
        seed: u64,
    ) -> Result<Self, ArenaError> {
        if deals == 0 {
            return Err(ArenaError::NoDeals);
        }
        few_enough(deals)?;
        Ok(Self { rules, players, bots, schedule, deals, seed, with_habits: false, kept: 0 })
    }

    /// Returns the contest with bot `seats[s]` in seat `s` when a deal is first played. This allows partners, or
    /// several copies of each bot.
    ///
    /// # Errors
    /// The list does not fill the seats, or omits a bot.
    pub fn seated_as(self, seats: Vec<usize>) -> Result<Self, ArenaError> {
        let (players, bots) = (self.players, self.bots.len());
        let known = seats.len() == players && seats.iter().all(|&bot| bot < bots);
        if !known || !(0..bots).all(|bot| seats.contains(&bot)) {
            return Err(ArenaError::Seats { players, bots });
        }
        Ok(Self { schedule: LineupSchedule::fixed(&seats), ..self })
    }

    /// Returns the contest with a report that also counts how the bots play ([`super::report::HabitCounts`]).
    pub fn with_habits(self) -> Self {
        Self { with_habits: true, ..self }
    }

    /// Returns the number of units.
    pub fn units(&self) -> u64 {
        self.deals.div_ceil(UNIT)
    }

    /// Returns the number of sessions in the whole contest.
    pub fn sessions(&self) -> u64 {
        self.deals * self.players as u64
    }

    /// Returns the seed of the session for deal `deal`, from 0. Old model cards name contest seeds of up to 64 bits,
    /// which are larger than today's. A contest with such a seed uses the deal seeds unreduced, so it still plays the
    /// same deals.
    pub fn deal_seed(&self, deal: u64) -> u64 {
        let bits = derive(self.seed, &[0, deal]);
        if self.seed <= seed::MAX { seed::of_bits(bits) } else { bits }
    }

    /// Returns the bot that sits in `seat` in deal `deal` when all bots have moved on by `turn` seats.
    pub fn seated(&self, deal: u64, turn: usize, seat: usize) -> usize {
        self.schedule.lineup(deal).bot(self.slot(turn, seat))
    }

    /// Returns the original seat of the bot in `seat`, before all bots moved on by `turn` seats.
    pub(super) fn slot(&self, turn: usize, seat: usize) -> usize {
        (seat + self.players - turn) % self.players
    }

    /// Returns the deals of a unit.
    pub(super) fn deals_of(&self, unit: u64) -> std::ops::Range<u64> {
        unit * UNIT..self.deals.min((unit + 1) * UNIT)
    }
}

/// Returns the default bot of each seat: each bot in its own seat, or the first of two bots alone.
pub(super) fn usual(bots: usize, players: usize) -> Vec<usize> {
    (0..players).map(|seat| if bots == players { seat } else { seat.min(1) }).collect()
}

/// Refuses more than [`MOST_DEALS`] deals.
fn few_enough(deals: u64) -> Result<(), ArenaError> {
    if deals > MOST_DEALS { Err(ArenaError::ManyDeals { given: deals }) } else { Ok(()) }
}
