//! The lines between a table and a program that plays: `docs/protocol.md` has them one by one.

use cardsharp_env::{ActionId, Seat, seed};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the protocol: that of seats' records.
pub use cardsharp_env::record::PROTOCOL;

/// What whoever holds the table says; the lines of a seat's record besides, each with its `table`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    /// The first line.
    Hello {
        /// [`PROTOCOL`].
        protocol: u32,
        /// Who speaks.
        program: String,
        /// Its version.
        version: String,
        /// Milliseconds after which nobody waits for a move any longer, if there is such a limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        patience_ms: Option<u64>,
    },
    /// A seat at a table is to be played from now on; a table of the same number is forgotten.
    Begin {
        /// The number of this seat at this table: any, and no other's in this process.
        table: u64,
        /// The game.
        game: String,
        /// The seat.
        seat: Seat,
        /// What the bot may draw its random numbers from; it has nothing to do with the seed of the session.
        #[serde(deserialize_with = "seed::read")]
        seed: u64,
    },
    /// A decision is due.
    Go {
        /// Whose.
        table: u64,
        /// Milliseconds that a search shall take.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_ms: Option<u64>,
        /// Tries that a search shall make.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tries: Option<u32>,
        /// Whether to tell what is thought of every legal move.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        advice: bool,
        /// The labels of all legal moves.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        legal: Vec<String>,
        /// What the seat may know.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<Value>,
        /// The observation row.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        row: Vec<u8>,
        /// The ids of all legal moves, in the order of `legal`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        actions: Vec<ActionId>,
    },
    /// A table that is not asked about any more.
    Forget {
        /// Which.
        table: u64,
    },
    /// Is anybody there?
    Ping {
        /// Comes back as it is.
        #[serde(default)]
        id: Value,
    },
}

/// What a program wants to be told.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// The record of its seat, line by line, as it happens.
    Record,
    /// The view, with every decision.
    View,
    /// The labels of the legal moves, with every decision.
    Legal,
    /// The observation row, and the ids of the legal moves, with every decision.
    Row,
}

/// What a program says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Answer {
    /// Its first line.
    Hello {
        /// [`PROTOCOL`].
        protocol: u32,
        /// What it is called.
        name: String,
        /// The games that it plays; all of them where the list is missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        games: Option<Vec<String>>,
        /// What it wants to be told.
        wants: Vec<Want>,
    },
    /// What it plays.
    Move {
        /// At which table.
        table: u64,
        /// The label of the move.
        choice: String,
        /// The reward it expects, if it was asked and estimates it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<f32>,
        /// What it thinks of every legal move, if it was asked: the best first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moves: Option<Value>,
    },
    /// It did not understand a line.
    Error {
        /// The number of the line, from 1.
        #[serde(default)]
        input: u64,
        /// The table that it was about, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<u64>,
        /// What was wrong, and what would be right.
        problem: String,
    },
    /// It is there.
    Pong {
        /// What was sent.
        #[serde(default)]
        id: Value,
    },
    /// Anything it wants to say; nobody acts on it.
    Info {
        /// The words.
        text: String,
    },
}
