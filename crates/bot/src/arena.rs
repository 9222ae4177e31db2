//! Measures how strong bots are: plays every deal from every seat, and resamples confidence intervals by deal.
//!
//! A deal is the seed of a whole session. Every bot plays the same deals from the same seats, so the luck of the cards
//! is the same for all. Bots that play alike score exactly 0 against each other.
//!
//! The work is split into units. Each unit is a pure function of the contest and its number. Callers play units in any
//! order, on any number of threads, and pass them to the report in order. Callers also supply the clock, which affects
//! only the times per move. So the report does not depend on how the units were played.
//!
//! - [`Contest`] defines the bots, the rules and the deals, and plays them.
//! - [`schedule`] assigns bots to tables and seats.
//! - [`report`] holds the results, and [`command`] writes the command that reproduces them.
//! - [`ratings`] rates the bots of a round robin.
//! - [`sequential`] stops a contest as soon as the result is significant.
//! - [`RecordedSession`] is one recorded game of a contest.
//! - [`rule_sets`] holds contests with random rules.

pub mod command;
mod contest;
mod findings;
mod games;
mod play;
pub mod ratings;
pub mod report;
pub mod rule_sets;
pub mod schedule;
pub mod sequential;

pub use contest::{Contest, MOST_DEALS, UNIT};
pub use games::RecordedSession;
pub use play::ContestUnit;
pub use report::{BotReport, Contracts, Millis, Report};

pub use crate::stats::Interval;

/// Why a contest cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ArenaError {
    /// The bots do not fill the table.
    #[error(
        "{given} bot{} cannot fill {players} seats: name two (the first takes one seat, copies of the second the others) or \
         {players} (each takes every seat in turn), or play a round robin", if *given == 1 { "" } else { "s" }
    )]
    Bots {
        /// Number of bots that were named.
        given: usize,
        /// Number of seats in a session with these rules.
        players: usize,
    },
    /// The list of seats does not name a valid bot for every seat, or leaves a bot out.
    #[error("expected {players} numbers from 0 to {}, each at least once: the bot in each seat", bots - 1)]
    Seats {
        /// Number of seats in a session.
        players: usize,
        bots: usize,
    },
    /// A round robin has too few or too many bots.
    #[error("a round robin needs 2 to {} bots, not {given}", schedule::MOST_BOTS)]
    RoundRobin {
        /// Number of bots that were named.
        given: usize,
    },
    /// The round robin has too few deals for every bot to play.
    #[error("{bots} bots at tables of {players} need at least {} deals for everyone to play", bots.div_ceil(*players))]
    FewDeals {
        bots: usize,
        /// Number of seats at a table.
        players: usize,
    },
    /// The contest has no deals.
    #[error("a contest needs at least 1 deal")]
    NoDeals,
    /// The contest has more than [`MOST_DEALS`] deals.
    #[error("{given} deals are too many: expected at most {}", MOST_DEALS)]
    ManyDeals {
        /// Number of deals that were requested.
        given: u64,
    },
    /// Too few random rule sets fit the requested numbers of players and rounds.
    #[error(
        "found only {found} of {wanted} random rule sets: expected at least 1, and numbers of players and rounds that the \
         game allows"
    )]
    RuleSets {
        /// Number of rule sets that were requested.
        wanted: usize,
        /// Number of rule sets that were found.
        found: usize,
    },
    /// The contest has too few deals for the first look of a sequential test.
    #[error("{given} deals are too few for a sequential test: expected at least {expected}")]
    FewToKnow {
        /// Number of deals in the contest.
        given: u64,
        /// Number of deals that the first look needs.
        expected: u64,
    },
    /// The margin of a sequential test is not above 0 and at most 1.
    #[error("the margin of a sequential test must be more than 0 and at most 1, not {0}")]
    Delta(f64),
}

#[cfg(test)]
mod tests;
