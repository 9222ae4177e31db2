//! Opponents other than the current policy: snapshots of it, the scripted player, or a fixed bot.

use std::sync::Arc;

use cardsharp_bot::PolicyNet;
use cardsharp_document::{FieldError, expect};
use cardsharp_env::{Draw, MAX_SEATS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[league]`: opponents in training, in addition to the current policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LeagueConfig {
    /// Share of sessions in which a snapshot of the learner plays some seats, 0 to 1. Before the first snapshot, the
    /// learner plays all seats of these sessions.
    pub past: f64,
    /// Share of sessions in which the scripted player plays some seats, 0 to 1.
    pub scripted: f64,
    /// Probability that the other player plays a seat in these sessions, above 0 and below 1. Both the learner and the
    /// other player always have at least one seat.
    pub seats: f64,
    /// Iterations between snapshots of the learner, at least 1.
    pub every: u64,
    /// Maximum number of snapshots, 1 to 1000. A full pool drops snapshots so that the rest are spread over the run.
    pub pool: usize,
    /// A fixed bot that plays all seats but one in every session, so that the run learns a response to it. `random`,
    /// `scripted`, a search or the path of an exported bot; empty means none. Requires `past` and `scripted` to be 0.
    pub opponent: String,
    /// Sampling temperature of the `opponent` if it is a network, 0 to 10: 0 = argmax, 1 = sample from the policy.
    pub temperature: f32,
}

impl Default for LeagueConfig {
    fn default() -> Self {
        Self {
            past: 0.1,
            scripted: 0.1,
            seats: 0.5,
            every: 10,
            pool: 8,
            opponent: String::new(),
            temperature: 0.0,
        }
    }
}

impl LeagueConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        expect((0.0..=1.0).contains(&self.past), "past", self.past, "expected a number from 0 to 1")?;
        let scripted = self.scripted >= 0.0 && self.past + self.scripted <= 1.0;
        expect(scripted, "scripted", self.scripted, "expected a number from 0 to 1 - `past`")?;
        let seats = self.seats > 0.0 && self.seats < 1.0;
        expect(seats, "seats", self.seats, "expected a number above 0 and below 1")?;
        expect(self.every >= 1, "every", self.every, "expected at least 1")?;
        expect((1..=1000).contains(&self.pool), "pool", self.pool, "expected 1 to 1000")?;
        for (field, share) in [("past", self.past), ("scripted", self.scripted)] {
            let none = self.opponent.is_empty() || share == 0.0;
            expect(none, field, share, "expected 0 with an `opponent`, which plays in every session")?;
        }
        let temperature = (0.0..=10.0).contains(&self.temperature);
        expect(temperature, "temperature", self.temperature, "expected a number from 0 to 10")
    }
}

/// The player of a seat in a rollout.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum SeatPlayer {
    /// The current policy, which learns from its decisions.
    #[default]
    Learner,
    /// The snapshot with this index in the pool.
    Past(usize),
    /// The scripted player of the game.
    Scripted,
    /// The bot of [`LeagueConfig::opponent`].
    Opponent,
}

/// An earlier policy in the pool of opponents.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Iterations that were complete when it was taken.
    pub iteration: u64,
    /// The network of that policy.
    pub net: Arc<dyn PolicyNet>,
}

/// The snapshots of the learner.
#[derive(Clone, Debug, Default)]
pub struct League {
    /// The snapshots, in ascending order of their iterations.
    pub pool: Vec<Snapshot>,
}

impl League {
    /// Adds a snapshot if one is due after `iteration` iterations. A full pool drops the snapshot whose neighbors are
    /// nearest to each other, so that the rest stay spread over the run. It never drops the oldest or the newest; a
    /// pool of one keeps the newest.
    pub fn add(&mut self, config: &LeagueConfig, iteration: u64, net: &Arc<dyn PolicyNet>) {
        if config.past == 0.0 || !iteration.is_multiple_of(config.every) {
            return;
        }
        self.pool.push(Snapshot { iteration, net: Arc::clone(net) });
        if self.pool.len() > config.pool {
            let gap = |i: usize| self.pool[i].iteration - self.pool[i - 1].iteration;
            let crowded = (1..self.pool.len() - 1).min_by_key(|&i| gap(i) + gap(i + 1)).unwrap_or(0);
            self.pool.remove(crowded);
        }
    }

    /// Draws the players of a session's seats. Entries beyond `players` have no meaning.
    pub fn seats(&self, config: &LeagueConfig, players: usize, draw: &mut Draw) -> [SeatPlayer; MAX_SEATS] {
        let mut seats = [SeatPlayer::Learner; MAX_SEATS];
        if !config.opponent.is_empty() {
            seats[..players].fill(SeatPlayer::Opponent);
            seats[draw.below(players as u32) as usize] = SeatPlayer::Learner;
            return seats;
        }
        let kind = f64::from(draw.unit());
        let opponent = if kind < config.past && !self.pool.is_empty() {
            SeatPlayer::Past(draw.below(self.pool.len() as u32) as usize)
        } else if (config.past..config.past + config.scripted).contains(&kind) {
            SeatPlayer::Scripted
        } else {
            return seats;
        };
        for seat in &mut seats[..players] {
            if draw.chance(config.seats) {
                *seat = opponent;
            }
        }
        // The learner and the other player have at least one seat each, whatever was drawn.
        let learner = draw.below(players as u32) as usize;
        let other = (learner + 1 + draw.below(players as u32 - 1) as usize) % players;
        seats[learner] = SeatPlayer::Learner;
        seats[other] = opponent;
        seats
    }
}

#[cfg(test)]
mod tests {
    use cardsharp_bot::net::{Dense, Net, Weights};

    use super::*;

    fn net() -> Arc<dyn PolicyNet> {
        let dense = || Dense { inputs: 1, outputs: 1, weight: vec![1.0], bias: vec![0.0] };
        let weights = Weights { scale: vec![1.0], trunk: vec![dense()], policy: dense(), value: dense() };
        Arc::new(Net::new(weights).expect("three layers of one unit"))
    }

    fn filled(config: &LeagueConfig, iterations: u64) -> League {
        let mut league = League::default();
        (1..=iterations).for_each(|iteration| league.add(config, iteration, &net()));
        league
    }

    #[test]
    fn a_full_pool_stays_spread_and_keeps_the_oldest_and_the_newest() {
        let config = LeagueConfig { every: 5, pool: 4, ..LeagueConfig::default() };
        let league = filled(&config, 103);
        let iterations: Vec<u64> = league.pool.iter().map(|s| s.iteration).collect();
        assert_eq!((iterations.len(), iterations[0], iterations[3]), (4, 5, 100));
        assert!(iterations.windows(2).all(|w| w[1] - w[0] >= 10), "{iterations:?}");
        let one = filled(&LeagueConfig { pool: 1, ..config }, 103);
        assert_eq!(one.pool.iter().map(|s| s.iteration).collect::<Vec<_>>(), [100], "no room for both");
    }

    #[test]
    fn seats_follow_the_shares_and_include_every_player() {
        let config = LeagueConfig { past: 0.3, scripted: 0.2, seats: 0.5, ..LeagueConfig::default() };
        let league = filled(&config, 30);
        let mut draw = Draw::new(4, 0);
        let (mut past, mut scripted, mut others) = (0, 0, 0);
        for _ in 0..10_000 {
            let seats = league.seats(&config, 5, &mut draw);
            let seats = &seats[..5];
            let opponents = seats.iter().filter(|&&s| s != SeatPlayer::Learner).count();
            match seats.iter().find(|&&s| s != SeatPlayer::Learner) {
                Some(SeatPlayer::Past(_)) => past += 1,
                Some(SeatPlayer::Scripted) => scripted += 1,
                _ => continue,
            }
            assert!((1..=4).contains(&opponents));
            others += opponents;
        }
        assert!((2_850..3_150).contains(&past) && (1_850..2_150).contains(&scripted), "{past} {scripted}");
        let mean = f64::from(others as u32) / f64::from(past + scripted);
        assert!((2.4..2.6).contains(&mean), "{mean}");
    }

    #[test]
    fn an_opponent_leaves_one_seat_to_the_learner_and_all_alike() {
        let opponent = "scripted".to_owned();
        let config = LeagueConfig { past: 0.0, scripted: 0.0, opponent, ..LeagueConfig::default() };
        let mut draw = Draw::new(5, 0);
        let mut held = [0; 3];
        for _ in 0..3000 {
            let seats = League::default().seats(&config, 3, &mut draw);
            let own: Vec<_> = (0..3).filter(|&seat| seats[seat] == SeatPlayer::Learner).collect();
            assert_eq!((own.len(), seats[3]), (1, SeatPlayer::Learner));
            held[own[0]] += 1;
        }
        assert!(held.iter().all(|seats| (900..1100).contains(seats)), "{held:?}");
    }

    #[test]
    fn before_the_first_snapshot_the_learner_plays_alone() {
        let config = LeagueConfig { past: 1.0, scripted: 0.0, ..LeagueConfig::default() };
        let seats = League::default().seats(&config, 4, &mut Draw::new(1, 0));
        assert!(seats.iter().all(|&s| s == SeatPlayer::Learner));
    }
}
