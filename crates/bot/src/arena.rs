//! How strong bots are: every deal is played from every seat, and intervals are resampled by deal.
//!
//! A deal is the seed of a whole session. Luck in the cards is the same for all who sit in all seats
//! of the same deals, so bots that play alike score exactly 0 against each other.
//!
//! The work comes in units, each a pure function of the contest and its number. Callers play them in
//! any order, on as many threads as they like, with a clock of their own (which only fills the times
//! per move), and hand them back in order: the report does not depend on how they were played.
//!
//! [`Contest`] says who plays what how often and plays it, [`schedule`] who sits at which table,
//! [`report`] holds what was found, [`command`] finds it again; [`ratings`] rates the bots of a round robin, [`sequential`] stops
//! as soon as enough is known, [`Game`] is one of its games, kept, [`luck`] takes the luck of the deals out of figures, [`rule_sets`] holds contests by rules that nobody chose.

pub mod command;
mod contest;
mod findings;
mod games;
pub mod luck;
mod play;
pub mod ratings;
pub mod report;
pub mod rule_sets;
pub mod schedule;
pub mod sequential;

pub use contest::{Contest, MOST_DEALS, UNIT};
pub use games::Game;
pub use play::Unit;
pub use report::{BotReport, Contracts, Millis, Report};

pub use crate::stats::Interval;

/// Why a contest cannot be held.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ArenaError {
    /// The bots do not fill the table.
    #[error(
        "{given} bot{} cannot fill {players} seats: name two (the first takes one seat, copies of the second the others) or \
         {players} (each takes every seat in turn), or play a round robin", if *given == 1 { "" } else { "s" }
    )]
    Bots {
        /// How many bots were named.
        given: usize,
        /// How many seats a session by these rules has.
        players: usize,
    },
    /// The seats are not filled with bots.
    #[error("expected {players} numbers from 0 to {}, each at least once: the bot in each seat", bots - 1)]
    Seats {
        /// How many seats a session has.
        players: usize,
        /// How many bots there are.
        bots: usize,
    },
    /// Too few or too many bots for a round robin.
    #[error("a round robin needs 2 to {} bots, not {given}", schedule::MOST_BOTS)]
    RoundRobin {
        /// How many bots were named.
        given: usize,
    },
    /// Not every bot of a round robin would sit at a table.
    #[error("{bots} bots at tables of {players} need at least {} deals for everyone to play", bots.div_ceil(*players))]
    FewDeals {
        /// How many bots there are.
        bots: usize,
        /// How many seats a table has.
        players: usize,
    },
    /// There is nothing to measure.
    #[error("a contest needs at least 1 deal")]
    NoDeals,
    /// More deals than are kept.
    #[error("{given} deals are too many: expected at most {}", MOST_DEALS)]
    ManyDeals {
        /// How many were asked for.
        given: u64,
    },
    /// Rules that were drawn at random can hardly be played in the size that was asked for.
    #[error(
        "found only {found} of {wanted} random rule sets: expected at least 1, and numbers of players and rounds that the \
         game allows"
    )]
    RuleSets {
        /// How many sets were to be drawn.
        wanted: usize,
        /// How many were found.
        found: usize,
    },
    /// Fewer deals than it takes to know anything.
    #[error("{given} deals are too few for a sequential test: expected at least {expected}")]
    FewToKnow {
        /// How many there are at most.
        given: u64,
        /// How many the first look takes.
        expected: u64,
    },
    /// A difference that no test can look for.
    #[error("the margin of a sequential test must be more than 0 and at most 1, not {0}")]
    Delta(f64),
}

#[cfg(test)]
mod tests;
