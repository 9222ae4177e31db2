//! Why a bundle is refused.

use std::io;
use std::path::{Path, PathBuf};

use cardsharp_env::game::ViewError;

use crate::arena::command::path as typed;
use crate::beliefs;
use crate::bots::levels::{self, LevelError};
use crate::bundle::manifest::{Changed, Problem, again};
use crate::bundle::vectors::{self, VECTORS};
use crate::bundle::{MODEL, Misfit};
use crate::file::FileError;

/// Why a bundle is refused, and where.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {reason}", file.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct VerifyError {
    /// The file at fault.
    pub file: PathBuf,
    /// Its line, from 1, where lines tell anything.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: Box<Reason>,
}

impl VerifyError {
    pub(super) fn new(file: &Path, reason: Reason) -> Self {
        Self { file: file.to_owned(), line: None, reason: Box::new(reason) }
    }
}

/// What brings a file of the bundle in `folder` back that was changed or is missing. What follows from the network is written
/// again; what was measured or learned is measured or learned again; anything else has to be put back.
pub(super) fn remedy(folder: &Path, name: &str, is_there: bool) -> String {
    let at = typed(folder);
    let overwrite = if is_there { " --overwrite" } else { "" };
    match name {
        MODEL if !is_there => format!("`cardsharp export {at}` writes it again"),
        "actions.json" | "card.md" | "encoding.json" | MODEL | vectors::FILE => {
            format!("{} writes it again", again(folder))
        }
        levels::FILE => format!("`cardsharp levels {at}{overwrite}` measures the levels again"),
        beliefs::FILE => format!("`cardsharp beliefs {at}{overwrite}` learns the model again"),
        _ => "restore it".to_owned(),
    }
}

/// What is wrong with a file of a bundle.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    Read(io::Error),
    /// The manifest is refused.
    #[error("{0}")]
    Manifest(Problem),
    /// The file is not in the manifest.
    #[error("it is not in the manifest: it came later or from somewhere else; move it out of the folder")]
    Extra,
    /// The file was to become one of the bundle.
    #[error("a write that was interrupted left it; remove it")]
    Leftover,
    /// The manifest lacks a file that every bundle has, or lists one that no bundle has.
    #[error("the manifest {}", if *.listed { "lists it, but no bundle holds such a file" } else { "does not list it, but every bundle holds it" })]
    Listed {
        /// Whether the manifest lists it.
        listed: bool,
    },
    /// A file of the manifest is not there.
    #[error("it is missing; {remedy}")]
    Missing {
        /// What brings it back.
        remedy: String,
    },
    /// The file is not the one that was written.
    #[error("it was changed after it was written: {changed}; {remedy}")]
    Changed {
        /// How.
        changed: Changed,
        /// What brings it back.
        remedy: String,
    },
    /// The file is not compressed text.
    #[error("it is not UTF-8 text compressed with gzip: {0}")]
    Text(io::Error),
    /// The file is not the JSON it should be.
    #[error("not what a bundle holds here: {0}")]
    Json(serde_json::Error),
    /// The levels are not what they should be.
    #[error("{0}")]
    Levels(LevelError),
    /// The weights cannot be read.
    #[error(transparent)]
    Bot(FileError),
    /// The network does not fit the game.
    #[error(transparent)]
    Misfit(Misfit),
    /// A table differs from the game's own.
    #[error("{place} is {found}, but the game says {now}; {remedy}")]
    Differs {
        /// A JSON pointer.
        place: String,
        /// In the file.
        found: String,
        /// In the game.
        now: String,
        /// What brings it up to date.
        remedy: String,
    },
    /// The ONNX model holds another network.
    #[error("it is not the network of bot.safetensors; {remedy}")]
    Model {
        /// What writes the right one.
        remedy: String,
    },
    /// The card is blank.
    #[error("it is empty")]
    Empty,
    /// Vectors are missing or too many.
    #[error("it holds {found} vectors; a bundle has {VECTORS}")]
    Count {
        /// Number of lines.
        found: usize,
    },
    /// The view of a vector is refused.
    #[error(transparent)]
    View(ViewError),
    /// A cell of a row.
    #[error("cell {cell} ({block}) is {found}, but the view encodes to {now}")]
    Cell {
        /// The cell.
        cell: usize,
        /// Its block and place in it.
        block: String,
        /// In the file.
        found: u8,
        /// By the game.
        now: u8,
    },
    /// The legal actions.
    #[error("the legal actions are {found}, but the view allows {now}")]
    Legal {
        /// In the file.
        found: String,
        /// By the game.
        now: String,
    },
    /// The number of logits.
    #[error("there are {found} logits for {now} legal actions")]
    Logits {
        /// In the file.
        found: usize,
        /// Legal actions.
        now: usize,
    },
    /// A logit or the value.
    #[error("the {what} is {found}, but the network computes {now}")]
    Number {
        /// Which number.
        what: String,
        /// In the file.
        found: f32,
        /// By the network.
        now: f32,
    },
    /// The move.
    #[error("the move is `{found}`, but the network prefers `{now}`")]
    Move {
        /// In the file.
        found: String,
        /// By the network.
        now: String,
    },
}
