//! Contests that stop early: a sequential probability ratio test of the first bot's place score.
//!
//! The test compares two hypotheses: the score is +δ, or it is −δ. After each block of deals it computes the
//! log-likelihood ratio of the mean scores of the deals. It treats them as normal with the variance so far:
//! `2 δ n mean / variance`. Beyond ±[`BOUND`] the test ends. If the score is at least δ, or at most −δ, it is wrong in
//! at most 5 % of contests. For scores in between, there is no such guarantee, and the test takes longer.
//!
//! An early stop biases an interval for a fixed number of deals. So the report uses intervals that hold at all times at
//! once: [`crate::stats::anytime`].
//!
//! Each block adds an eighth of the deals played so far. The blocks, and so the result, do not depend on threads.

use std::ops::Range;

use super::ArenaError;
use super::contest::{Contest, UNIT};
use super::findings::deals;
use super::play::{ContestUnit, SCALE, SCORE};
use super::report::{Report, Sprt, StrengthVerdict};
use crate::stats::anytime;

/// The log-likelihood ratio that decides: ln(0.95 / 0.05), for 5 % errors.
pub const BOUND: f64 = 2.944_438_979_166_440_3;
/// The default margin δ of the test.
pub const DELTA: f64 = 0.02;
/// Units of the first block, and the fewest of any block.
const FIRST_BLOCK: u64 = 4;

/// Sums over the deals so far.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct DealSums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl DealSums {
    /// Adds the first bot's mean place score in a deal.
    pub fn add(&mut self, score: f64) {
        self.count += 1.0;
        self.sum += score;
        self.squares += score * score;
    }

    /// Returns the log-likelihood ratio of `delta` against `-delta`. It is 0 if the scores sum to 0.
    pub fn log_likelihood_ratio(&self, delta: f64) -> f64 {
        if self.sum == 0.0 {
            return 0.0;
        }
        let mean = self.sum / self.count;
        let variance = (self.squares / self.count - mean * mean).max(0.0);
        // If all scores are the same, the first one decides.
        2.0 * delta * self.sum / variance.max(f64::MIN_POSITIVE)
    }

    /// Returns the decision so far.
    pub fn decision(&self, delta: f64) -> StrengthVerdict {
        match self.log_likelihood_ratio(delta) {
            ratio if ratio >= BOUND => StrengthVerdict::Stronger,
            ratio if ratio <= -BOUND => StrengthVerdict::Weaker,
            _ => StrengthVerdict::Unknown,
        }
    }
}

/// A contest that runs until the test decides whether its first bot is stronger than the others.
#[derive(Clone)]
pub struct Sequential<'c> {
    contest: &'c Contest,
    delta: f64,
    units: Vec<ContestUnit>,
    sums: DealSums,
    looks: u64,
}

impl Contest {
    /// Starts a test of whether the first bot's place score is `delta` or `-delta`. It plays at most all deals of the
    /// contest.
    ///
    /// # Errors
    /// `delta` is not above 0 and at most 1, or there are fewer deals than the first block needs.
    pub fn sprt(&self, delta: f64) -> Result<Sequential<'_>, ArenaError> {
        if !(delta > 0.0 && delta <= 1.0) {
            return Err(ArenaError::Delta(delta));
        }
        let expected = FIRST_BLOCK * UNIT;
        if self.deals < expected {
            return Err(ArenaError::FewToKnow { given: self.deals, expected });
        }
        Ok(Sequential { contest: self, delta, units: Vec::new(), sums: DealSums::default(), looks: 0 })
    }
}

impl Sequential<'_> {
    /// Returns the units of the next block, all of which must be played. Returns `None` after the decision, or when no
    /// deals are left.
    pub fn block(&self) -> Option<Range<u64>> {
        let (done, all) = (self.units.len() as u64, self.contest.units());
        let more = done < all && self.sums.decision(self.delta) == StrengthVerdict::Unknown;
        more.then(|| done..all.min(done + FIRST_BLOCK.max(done / 8)))
    }

    /// Adds the units of a block, in the order of their numbers.
    pub fn add(&mut self, block: Vec<ContestUnit>) {
        for group in deals(&block).filter_map(|deal| deal.of(0)).map(|tally| tally.group) {
            let scale = (SCALE as f64) * group.count.max(1) as f64;
            self.sums.add(group.sums[SCORE] as f64 / scale);
        }
        self.units.extend(block);
        self.looks += 1;
    }

    /// Returns the units played so far.
    pub fn units(&self) -> &[ContestUnit] {
        &self.units
    }

    /// Returns the report over the deals played so far.
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
