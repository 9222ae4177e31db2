//! Errors of verified bundles.

use std::io;
use std::path::{Path, PathBuf};

use cardsharp_env::game::ViewError;

use crate::arena::command::path as typed;
use crate::beliefs;
use crate::bots::levels::{self, LevelError};
use crate::bundle::manifest::{BundleProblem, FileChange, again};
use crate::bundle::vectors::{self, VECTORS};
use crate::bundle::{MODEL, Misfit};
use crate::file::FileError;
use crate::identity::IdentityError;

/// Why a bundle is refused, and where.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {reason}", file.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct VerifyError {
    /// The file at fault.
    pub file: PathBuf,
    /// The line, from 1, if the file has lines.
    pub line: Option<usize>,
    /// What is wrong there.
    pub reason: Box<VerifyReason>,
}

impl VerifyError {
    pub(super) fn new(file: &Path, reason: VerifyReason) -> Self {
        Self { file: file.to_owned(), line: None, reason: Box::new(reason) }
    }
}

/// Returns the remedy for a changed or missing file of the bundle in `folder`. A command rewrites what the network
/// determines, and repeats what was measured or learned. The user has to restore anything else.
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
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum VerifyReason {
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    Read(io::Error),
    /// The manifest is refused.
    #[error("{0}")]
    Manifest(BundleProblem),
    /// The file is not in the manifest.
    #[error("it is not in the manifest: it came later or from somewhere else; move it out of the folder")]
    Extra,
    /// The identity is not valid.
    #[error("{0}")]
    Identity(IdentityError),
    /// The file is a leftover of an interrupted write.
    #[error("a write that was interrupted left it; remove it")]
    Leftover,
    /// The manifest lacks a file that every bundle has, or lists one that no bundle has.
    #[error("the manifest {}", if *.listed { "lists it, but no bundle holds such a file" } else { "does not list it, but every bundle holds it" })]
    Listed {
        /// Whether the manifest lists it.
        listed: bool,
    },
    /// A file of the manifest is missing.
    #[error("it is missing; {remedy}")]
    Missing {
        /// The command that restores it.
        remedy: String,
    },
    /// The file differs from the manifest.
    #[error("it was changed after it was written: {changed}; {remedy}")]
    Changed {
        changed: FileChange,
        /// The command that restores it.
        remedy: String,
    },
    /// The file is not compressed text.
    #[error("it is not UTF-8 text compressed with gzip: {0}")]
    Text(io::Error),
    /// The file is not the expected JSON.
    #[error("not what a bundle holds here: {0}")]
    Json(serde_json::Error),
    /// The levels are invalid.
    #[error("{0}")]
    Levels(LevelError),
    /// The weights cannot be read.
    #[error(transparent)]
    Bot(FileError),
    /// The network does not fit the game.
    #[error(transparent)]
    Misfit(Misfit),
    /// A table differs from the current game.
    #[error("{place} is {found}, but the game says {now}; {remedy}")]
    Differs {
        /// The place, as a JSON pointer.
        place: String,
        /// The value in the file.
        found: String,
        /// The value in the game.
        now: String,
        /// The command that updates it.
        remedy: String,
    },
    /// The ONNX model holds another network.
    #[error("it is not the network of bot.safetensors; {remedy}")]
    Model {
        /// The command that writes the right model.
        remedy: String,
    },
    /// The model card is blank.
    #[error("it is empty")]
    Empty,
    /// The number of vectors is wrong.
    #[error("it holds {found} vectors; a bundle has {VECTORS}")]
    Count { found: usize },
    /// The view of a vector is refused.
    #[error(transparent)]
    View(ViewError),
    /// A cell of a row differs from the encoded view.
    #[error("cell {cell} ({block}) is {found}, but the view encodes to {now}")]
    Cell {
        /// The index of the cell.
        cell: usize,
        /// The block, and the index in the block.
        block: String,
        /// The value in the file.
        found: u8,
        /// The value that the game computes.
        now: u8,
    },
    /// The legal actions differ from those of the view.
    #[error("the legal actions are {found}, but the view allows {now}")]
    Legal {
        /// The actions in the file.
        found: String,
        /// The actions of the view.
        now: String,
    },
    /// The number of logits is not that of the legal actions.
    #[error("there are {found} logits for {now} legal actions")]
    Logits {
        /// Number of logits in the file.
        found: usize,
        /// Number of legal actions.
        now: usize,
    },
    /// A logit or the value differs from what the network computes.
    #[error("the {what} is {found}, but the network computes {now}")]
    Number {
        /// The name of the number.
        what: String,
        /// The number in the file.
        found: f32,
        /// The number that the network computes.
        now: f32,
    },
    /// The move differs from the network's choice.
    #[error("the move is `{found}`, but the network prefers `{now}`")]
    Move {
        /// The move in the file.
        found: String,
        now: String,
    },
}
