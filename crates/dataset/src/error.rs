//! Everything that can go wrong.

use std::io;
use std::path::PathBuf;

use cardsharp_env::Seat;
use parquet::errors::ParquetError;

use crate::columns::MOST_RULES;
use crate::written::{SHARD, Written};

/// Why there is no dataset, or less of it than was asked for.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// No rules to play by.
    #[error("there are no rules to play by: expected 1 to {MOST_RULES} of one game")]
    NoRules,
    /// More rules than the column of their numbers can tell apart.
    #[error("there are {given} rules to play by: expected at most {MOST_RULES}")]
    Rules {
        /// How many there are.
        given: usize,
    },
    /// Nobody plays.
    #[error("there are no bots: expected at least one, who then plays in every seat")]
    NoBots,
    /// Nothing is to be written.
    #[error("nothing is to be written: expected at least 1 decision or session")]
    Nothing,
    /// The shards are too small or too large.
    #[error("a shard cannot have {given} decisions: expected {} to {}", SHARD.start(), SHARD.end())]
    Shard {
        /// The decisions asked for.
        given: u64,
    },
    /// Two games in one dataset.
    #[error(
        "a session of {found} among those of {expected}: expected sessions of one game, whose rows have one length"
    )]
    Game {
        /// The game of the first session.
        expected: &'static str,
        /// The other one.
        found: &'static str,
    },
    /// Not every seat of a session has a name.
    #[error("{given} names for {seats} seats: expected one for each")]
    Names {
        /// How many names there are.
        given: usize,
        /// The seats of the session.
        seats: usize,
    },
    /// A session has a round that was not paid.
    #[error("a session is not over: expected what its last round was worth after its last decision")]
    Unpaid,
    /// Sessions have no decision that could be written.
    #[error(
        "no decision of {sessions} sessions had more than one legal action: expected some; or write forced ones, too"
    )]
    Forced {
        /// How many sessions were played.
        sessions: u64,
    },
    /// A bot picked a move that the rules do not allow.
    #[error("bot `{bot}` broke the rules in session {session}: seat {} cannot play action {action} there", seat.0)]
    Illegal {
        /// The bot.
        bot: String,
        /// The session.
        session: u64,
        /// The bot's seat.
        seat: Seat,
        /// What it picked.
        action: u16,
    },
    /// There is something in the folder.
    #[error("{} is not empty: expected a new or empty folder, unless the dataset in it is to be overwritten", path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// There is something in the folder that is no part of a dataset.
    #[error("{} is not overwritten, because `{name}` in it is no shard: expected a dataset and nothing else", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// What is in it.
        name: String,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder is another one than when the dataset was begun.
    #[error(
        "{} was moved, deleted or replaced while the dataset was written, and its shards are gone; write it again, to a folder that \
         nothing else changes",
        path.display()
    )]
    Replaced {
        /// The folder.
        path: PathBuf,
    },
    /// A shard is not what was written.
    #[error(
        "{} was changed or removed while the dataset was written; write it again, to a folder that nothing else changes",
        path.display()
    )]
    Lost {
        /// The shard.
        path: PathBuf,
    },
    /// A shard cannot be encoded.
    #[error("a shard cannot be encoded: {0}")]
    Encode(#[from] ParquetError),
    /// It was stopped; what stands in the folder are whole shards.
    #[error("stopped: {0} whole shards with {1} decisions of {2} sessions are in {path}", .written.shards, .written.decisions, .written.sessions, path = .path.display())]
    Stopped {
        /// What was written until then.
        written: Written,
        /// The folder.
        path: PathBuf,
    },
}

impl DatasetError {
    /// Whether something else should have been asked for, rather than that it could not be done.
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
