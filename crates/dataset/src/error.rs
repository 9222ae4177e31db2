//! The errors of datasets.

use std::io;
use std::path::PathBuf;

use cardsharp_env::Seat;
use parquet::errors::ParquetError;

use crate::columns::MOST_RULES;
use crate::written::{SHARD, Written};

/// Why a dataset is missing or incomplete.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// The settings have no rules.
    #[error("there are no rules to play by: expected 1 to {MOST_RULES} of one game")]
    NoRules,
    /// There are more than [`MOST_RULES`] different rules.
    #[error("there are {given} rules to play by: expected at most {MOST_RULES}")]
    Rules {
        /// The number of rules.
        given: usize,
    },
    /// The settings have no bots.
    #[error("there are no bots: expected at least one, who then plays in every seat")]
    NoBots,
    /// The requested amount is 0.
    #[error("nothing is to be written: expected at least 1 decision or session")]
    Nothing,
    /// The number of decisions per shard is outside [`SHARD`].
    #[error("a shard cannot have {given} decisions: expected {} to {}", SHARD.start(), SHARD.end())]
    Shard {
        /// The requested number of decisions per shard.
        given: u64,
    },
    /// The sessions are of different games.
    #[error(
        "a session of {found} among those of {expected}: expected sessions of one game, whose rows have one length"
    )]
    Game {
        /// The game of the first session.
        expected: &'static str,
        /// The game of the other session.
        found: &'static str,
    },
    /// The number of names is not the number of seats.
    #[error("{given} names for {seats} seats: expected one for each")]
    Names {
        /// The number of names.
        given: usize,
        /// The number of seats.
        seats: usize,
    },
    /// A session was added before its last round had a payoff.
    #[error("a session is not over: expected what its last round was worth after its last decision")]
    Unpaid,
    /// No decision has more than one legal action, and forced decisions are not written.
    #[error(
        "no decision of {sessions} sessions had more than one legal action: expected some; or write forced ones, too"
    )]
    Forced {
        /// The number of sessions.
        sessions: u64,
    },
    /// A bot picked an illegal action.
    #[error("bot `{bot}` broke the rules in session {session}: seat {} cannot play action {action} there", seat.0)]
    Illegal {
        /// The name of the bot.
        bot: String,
        /// The number of the session.
        session: u64,
        seat: Seat,
        action: u16,
    },
    /// The folder is not empty.
    #[error("{} is not empty: expected a new or empty folder, unless the dataset in it is to be overwritten", path.display())]
    Taken { path: PathBuf },
    /// The folder has a file that does not belong to a dataset.
    #[error("{} is not overwritten, because `{name}` in it is no shard: expected a dataset and nothing else", path.display())]
    Foreign {
        path: PathBuf,
        /// The name of that file.
        name: String,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        source: io::Error,
    },
    /// The folder was moved, deleted or replaced while the dataset was written.
    #[error(
        "{} was moved, deleted or replaced while the dataset was written, and its shards are gone; write it again, to a folder that \
         nothing else changes",
        path.display()
    )]
    Replaced { path: PathBuf },
    /// A shard was removed, or its length changed, while the dataset was written.
    #[error(
        "{} was changed or removed while the dataset was written; write it again, to a folder that nothing else changes",
        path.display()
    )]
    Lost { path: PathBuf },
    /// A shard cannot be encoded.
    #[error("a shard cannot be encoded: {0}")]
    Encode(#[from] ParquetError),
    /// Writing was stopped. All shards in the folder are complete.
    #[error("stopped: {0} whole shards with {1} decisions of {2} sessions are in {path}", .written.shards, .written.decisions, .written.sessions, path = .path.display())]
    Stopped {
        /// The size of what was written.
        written: Written,
        path: PathBuf,
    },
}

impl DatasetError {
    /// Returns whether the caller must change the input. Otherwise a bot, the disk or a stop is the cause.
    pub fn is_input(&self) -> bool {
        match self {
            Self::NoRules
            | Self::Rules { .. }
            | Self::NoBots
            | Self::Nothing
            | Self::Shard { .. }
            | Self::Game { .. }
            | Self::Names { .. }
            | Self::Unpaid
            | Self::Forced { .. }
            | Self::Taken { .. }
            | Self::Foreign { .. } => true,
            Self::Illegal { .. }
            | Self::Io { .. }
            | Self::Replaced { .. }
            | Self::Lost { .. }
            | Self::Encode(_)
            | Self::Stopped { .. } => false,
        }
    }
}

impl From<arrow_schema::ArrowError> for DatasetError {
    fn from(error: arrow_schema::ArrowError) -> Self {
        Self::Encode(error.into())
    }
}
