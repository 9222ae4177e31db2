//! Contests that go on until they know: a sequential probability ratio test of the first bot's place score.
//!
//! Two claims stand against each other, that the score is +δ and that it is −δ. After each block of
//! deals the test adds up how much better the first explains the mean scores of the deals than the second,
//! as if they were normal with the variance seen so far: `2 δ n mean / variance`. Beyond ±[`BOUND`] it is
//! decided, and wrong in at most 5 % of contests whose score really is δ or more, or −δ or less. In
//! between it says what it says, and takes its time.
//!
//! A contest that stops when it likes what it sees must not report an interval for a number of deals
//! fixed beforehand. What is reported holds at all times at once: [`crate::stats::anytime`].
//!
//! Blocks grow by an eighth of what was played. They, and so the answer, do not depend on threads.

use std::ops::Range;

use super::ArenaError;
use super::contest::{Contest, UNIT};
use super::findings::deals;
use super::play::{SCALE, SCORE, Unit};
use super::report::{Decision, Report, Sprt};
use crate::stats::anytime;

/// The logarithmic likelihood ratio that decides: ln(0.95 / 0.05), 5 % errors.
pub const BOUND: f64 = 2.944_438_979_166_440_3;
/// The difference that is looked for if nothing is said.
pub const DELTA: f64 = 0.02;
/// Units of the first block, and the fewest of any.
const FIRST_BLOCK: u64 = 4;

/// The sums that the test looks at.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    /// Adds the first bot's mean place score in a deal.
    pub fn add(&mut self, score: f64) {
        self.count += 1.0;
        self.sum += score;
        self.squares += score * score;
    }

    /// How much better `delta` explains the scores than `-delta`; 0 while there is no telling, because all
    /// scores were 0.
    pub fn log_likelihood_ratio(&self, delta: f64) -> f64 {
        if self.sum == 0.0 {
            return 0.0;
        }
        let mean = self.sum / self.count;
        let variance = (self.squares / self.count - mean * mean).max(0.0);
        // Scores that are all the same decide at once.
        2.0 * delta * self.sum / variance.max(f64::MIN_POSITIVE)
    }

    /// What is known by now.
    pub fn decision(&self, delta: f64) -> Decision {
        match self.log_likelihood_ratio(delta) {
            ratio if ratio >= BOUND => Decision::Stronger,
            ratio if ratio <= -BOUND => Decision::Weaker,
            _ => Decision::Unknown,
        }
    }
}

/// A contest that is being played until it is known whether its first bot is stronger than the others.
#[derive(Clone)]
pub struct Sequential<'c> {
    contest: &'c Contest,
    delta: f64,
    units: Vec<Unit>,
    sums: Sums,
    looks: u64,
}

impl Contest {
    /// Plays the contest until it is known whether the first bot's place score is `delta` or `-delta`, but
    /// no more than all its deals.
    ///
    /// # Errors
    /// `delta` is not above 0 and at most 1, or there are fewer deals than the first look takes.
    pub fn sprt(&self, delta: f64) -> Result<Sequential<'_>, ArenaError> {
        if !(delta > 0.0 && delta <= 1.0) {
            return Err(ArenaError::Delta(delta));
        }
        let expected = FIRST_BLOCK * UNIT;
        if self.deals < expected {
            return Err(ArenaError::FewToKnow { given: self.deals, expected });
        }
        Ok(Sequential { contest: self, delta, units: Vec::new(), sums: Sums::default(), looks: 0 })
    }
}

impl Sequential<'_> {
    /// The units to play next, all of them; none when it is known, or there are no more.
    pub fn block(&self) -> Option<Range<u64>> {
        let (done, all) = (self.units.len() as u64, self.contest.units());
        let more = done < all && self.sums.decision(self.delta) == Decision::Unknown;
        more.then(|| done..all.min(done + FIRST_BLOCK.max(done / 8)))
    }

    /// Adds the units of a block in the order of their numbers.
    pub fn add(&mut self, block: Vec<Unit>) {
        for group in deals(&block).filter_map(|deal| deal.of(0)).map(|tally| tally.group) {
            let scale = (SCALE as f64) * group.count.max(1) as f64;
            self.sums.add(group.sums[SCORE] as f64 / scale);
        }
        self.units.extend(block);
        self.looks += 1;
    }

    /// The units played so far.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The report over the deals played.
    pub fn report(&self) -> Report {
        let mut report = self.contest.report_with(&self.units, |groups, _| anytime(groups));
        report.sprt = Some(Sprt {
            delta: self.delta,
            decision: self.sums.decision(self.delta),
            log_likelihood_ratio: self.sums.log_likelihood_ratio(self.delta),
            bound: BOUND,
            looks: self.looks,
            most_deals: self.contest.deals,
        });
        report
    }
}

#[cfg(test)]
mod tests;
