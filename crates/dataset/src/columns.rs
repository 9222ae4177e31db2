//! The columns of a shard, each declared once: files, docs and tests read this list.

use arrow_schema::{DataType, Field, Schema};
use cardsharp_env::AnyGame;
use cardsharp_env::blocks::width;

/// The version of the format: raised when a column or a field of the metadata changes its meaning.
pub const FORMAT: u32 = 2;

/// The key of the metadata in a shard's footer; its value is JSON ([`ShardMetadata`](crate::ShardMetadata)).
pub const KEY: &str = "cardsharp";

/// The maximum number of different rules in one dataset: the column `rules` has 16 bits.
pub const MOST_RULES: usize = 1 << 16;

/// A column. None of them holds nulls.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name in the file.
    pub name: &'static str,
    /// The type of the values.
    pub kind: ColumnType,
    /// What the values mean, for the documentation.
    pub meaning: &'static str,
}

/// The type of the values in a column.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// An unsigned 8-bit integer.
    U8,
    /// An unsigned 16-bit integer.
    U16,
    /// An unsigned 32-bit integer.
    U32,
    /// An unsigned 64-bit integer.
    U64,
    /// A signed 32-bit integer.
    I32,
    /// A 32-bit floating-point number.
    F32,
    Flag,
    /// A string, stored with a dictionary.
    Text,
    /// An observation row, one byte for each cell.
    Cells,
    /// An action mask, one byte for each action: 1 if the action is legal, else 0.
    Mask,
}

const fn column(name: &'static str, kind: ColumnType, meaning: &'static str) -> Column {
    Column { name, kind, meaning }
}

/// The columns, in their order.
pub const COLUMNS: [Column; 17] = [
    column(
        "session",
        ColumnType::U64,
        "The session, from 0. A session stands in one shard, its rows in the order of play.",
    ),
    column(
        "session_seed",
        ColumnType::U64,
        "The session's own seed, of seating, deals and chance: `cardsharp trace --seed`.",
    ),
    column(
        "rules",
        ColumnType::U16,
        "By which rules it was played: a place in `rules` of the metadata, from 0.",
    ),
    column("round", ColumnType::U32, "The round, from 1."),
    column(
        "step",
        ColumnType::U32,
        "The decision's number in its session, from 0. Forced ones count, written or not.",
    ),
    column("seat", ColumnType::U8, "Who decides, from 0: the same player for the whole session."),
    column("bot", ColumnType::Text, "The name of the bot that decided, one of `bots` of the metadata."),
    column(
        "observation",
        ColumnType::Cells,
        "What the seat may know, as its observation row: a byte for each cell.",
    ),
    column(
        "legal",
        ColumnType::Mask,
        "What the seat may do: a byte for each action, 1 where it is legal and 0 elsewhere.",
    ),
    column("action", ColumnType::U16, "What was chosen: a legal action's id."),
    column(
        "reward",
        ColumnType::F32,
        "The seat's reward between this row and its next one: 0, except in the seat's last row of a round.",
    ),
    column(
        "return_to_go",
        ColumnType::F32,
        "The sum of `reward` over this row and all later rows of the seat in the session.",
    ),
    column(
        "round_reward",
        ColumnType::F32,
        "The seat's reward for this round, repeated in every row of the round.",
    ),
    column("place", ColumnType::U8, "The seat's finishing place in this round, 1 is best."),
    column("points", ColumnType::I32, "The seat's points for this round, by the game's own scoring."),
    column("last_of_round", ColumnType::Flag, "Whether the round has no later row of this seat."),
    column("last_of_session", ColumnType::Flag, "Whether the session has no later row of this seat."),
];

impl ColumnType {
    /// Returns the Arrow type. The game determines the length of rows and masks.
    pub fn arrow(self, game: &dyn AnyGame) -> DataType {
        match self {
            Self::U8 => DataType::UInt8,
            Self::U16 => DataType::UInt16,
            Self::U32 => DataType::UInt32,
            Self::U64 => DataType::UInt64,
            Self::I32 => DataType::Int32,
            Self::F32 => DataType::Float32,
            Self::Flag => DataType::Boolean,
            Self::Text => DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8)),
            Self::Cells => DataType::FixedSizeBinary(width(game.observation()) as i32),
            Self::Mask => DataType::FixedSizeBinary(width(game.actions()) as i32),
        }
    }

    /// Returns the name of the type for the documentation.
    fn name(self) -> &'static str {
        match self {
            Self::U8 => "uint8",
            Self::U16 => "uint16",
            Self::U32 => "uint32",
            Self::U64 => "uint64",
            Self::I32 => "int32",
            Self::F32 => "float32",
            Self::Flag => "bool",
            Self::Text => "string (dictionary)",
            Self::Cells => "bytes, as many as a row has cells",
            Self::Mask => "bytes, as many as there are actions",
        }
    }
}

/// Returns the Arrow schema of a game's shards.
pub(crate) fn schema(game: &dyn AnyGame) -> Schema {
    let field = |column: &Column| Field::new(column.name, column.kind.arrow(game), false);
    Schema::new(COLUMNS.iter().map(field).collect::<Vec<_>>())
}

/// Returns the table of columns in `docs/dataset.md`, as Markdown.
pub fn markdown() -> String {
    let line =
        |column: &Column| format!("| `{}` | {} | {} |\n", column.name, column.kind.name(), column.meaning);
    let lines: String = COLUMNS.iter().map(line).collect();
    format!("| column | type | what it says |\n|---|---|---|\n{lines}")
}
