//! Who plays what how often.

use cardsharp_env::rng::derive;
use cardsharp_env::{GameRules, seed};

use super::ArenaError;
use super::schedule::{MOST_BOTS, Schedule};
use crate::bots::Player;

/// Deals in a unit: enough games side by side for batched inference, few enough for many threads.
pub const UNIT: u64 = 16;

/// Most deals of a contest: results are kept by deal until its end.
pub const MOST_DEALS: u64 = 100_000_000;

/// Who plays what how often.
#[derive(Clone)]
pub struct Contest {
    pub(super) rules: GameRules,
    pub(super) players: usize,
    pub(super) bots: Vec<Player>,
    pub(super) schedule: Schedule,
    pub(super) deals: u64,
    pub(super) seed: u64,
    pub(super) with_habits: bool,
    /// Deals whose games the report has.
    pub(super) kept: u64,
}

impl Contest {
    /// A contest over `deals` deals by `rules` (which say how many players there are). With two
    /// bots, the first takes one seat and the second all others; with as many bots as players, seat `s`
    /// is first held by bot `s`. Every deal is then played again with all moved on by one seat, until
    /// every bot has had every seat.
    ///
    /// # Errors
    /// The number of bots does not fit, or there are no deals or more than [`MOST_DEALS`].
    pub fn new(rules: &GameRules, bots: Vec<Player>, deals: u64, seed: u64) -> Result<Self, ArenaError> {
        let (rules, players) = (rules.clone(), rules.seats());
        if bots.len() != 2 && bots.len() != players {
            return Err(ArenaError::Bots { given: bots.len(), players });
        }
        let seats = usual(bots.len(), players);
        Self::scheduled(rules, players, bots, Schedule::fixed(&seats), deals, seed)
    }

    /// A contest of any number of bots, every one against every other: each deal has a table of its own
    /// ([`Schedule::round_robin`]) and is played from every seat.
    ///
    /// # Errors
    /// There are fewer than 2 or more than [`super::schedule::MOST_BOTS`] bots, or
    /// not enough deals for all of them to play, or more than [`MOST_DEALS`].
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
        let schedule = Schedule::round_robin(bots.len(), players, deals, seed);
        if deals > 0 && deals.saturating_mul(players as u64) < bots.len() as u64 {
            return Err(ArenaError::FewDeals { bots: bots.len(), players });
        }
        Self::scheduled(rules, players, bots, schedule, deals, seed)
    }

    fn scheduled(
        rules: GameRules,
        players: usize,
        bots: Vec<Player>,
        schedule: Schedule,
        deals: u64,
        seed: u64,
    ) -> Result<Self, ArenaError> {
        if deals == 0 {
            return Err(ArenaError::NoDeals);
        }
        few_enough(deals)?;
        Ok(Self { rules, players, bots, schedule, deals, seed, with_habits: false, kept: 0 })
    }

    /// The same contest with bot `seats[s]` in seat `s` when a deal is first played: partners, for
    /// example, or several copies of each bot.
    ///
    /// # Errors
    /// The list does not fill the seats, or leaves a bot out.
    pub fn seated_as(self, seats: Vec<usize>) -> Result<Self, ArenaError> {
        let (players, bots) = (self.players, self.bots.len());
        let known = seats.len() == players && seats.iter().all(|&bot| bot < bots);
        if !known || !(0..bots).all(|bot| seats.contains(&bot)) {
            return Err(ArenaError::Seats { players, bots });
        }
        Ok(Self { schedule: Schedule::fixed(&seats), ..self })
    }

    /// The same contest, whose report also tells how the bots play ([`super::report::Habits`]).
    pub fn with_habits(self) -> Self {
        Self { with_habits: true, ..self }
    }

    /// The same contest over other deals, `deals` of them, drawn from `seed`.
    pub(super) fn over(&self, deals: u64, seed: u64) -> Self {
        let schedule = match &self.schedule {
            Schedule::Fixed(_) => self.schedule.clone(),
            Schedule::RoundRobin { .. } => Schedule::round_robin(self.bots.len(), self.players, deals, seed),
        };
        Self { schedule, deals, seed, with_habits: false, kept: 0, ..self.clone() }
    }

    /// Number of units.
    pub fn units(&self) -> u64 {
        self.deals.div_ceil(UNIT)
    }

    /// Number of sessions in the whole contest.
    pub fn sessions(&self) -> u64 {
        self.deals * self.players as u64
    }

    /// The seed of the session that is played as deal `deal`, from 0. Cards of bots that were measured while seeds had 64 bits
    /// name larger contest seeds: such a contest plays the same deals as it did then.
    pub fn deal_seed(&self, deal: u64) -> u64 {
        let bits = derive(self.seed, &[0, deal]);
        if self.seed <= seed::MAX { seed::of_bits(bits) } else { bits }
    }

    /// The bot that sits in `seat` in deal `deal` when everyone has moved on by `turn` seats.
    pub fn seated(&self, deal: u64, turn: usize, seat: usize) -> usize {
        self.schedule.lineup(deal).bot(self.slot(turn, seat))
    }

    /// The seat that who sits in `seat` had before everyone moved on by `turn` seats.
    pub(super) fn slot(&self, turn: usize, seat: usize) -> usize {
        (seat + self.players - turn) % self.players
    }

    /// The deals of a unit.
    pub(super) fn deals_of(&self, unit: u64) -> std::ops::Range<u64> {
        unit * UNIT..self.deals.min((unit + 1) * UNIT)
    }
}

/// Who sits where if nothing else is said: every bot in a seat of its own, or the first of two alone.
pub(super) fn usual(bots: usize, players: usize) -> Vec<usize> {
    (0..players).map(|seat| if bots == players { seat } else { seat.min(1) }).collect()
}

/// Refuses more deals than are kept.
fn few_enough(deals: u64) -> Result<(), ArenaError> {
    if deals > MOST_DEALS { Err(ArenaError::ManyDeals { given: deals }) } else { Ok(()) }
}
