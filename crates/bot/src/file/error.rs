//! What can be wrong with a bot file.

use std::path::PathBuf;

use safetensors::Dtype;

use super::{FORMAT, KEY, MAX_FILE, MAX_HEADER, MAX_TENSORS};
use crate::manifest::{Problem, by_a_newer};
use crate::net::ShapeError;

/// Why a bot file was refused.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The disk's answer.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The bundle that it is in lists another file.
    #[error("{0}")]
    Bundle(Problem),
    /// More than [`MAX_FILE`] bytes.
    #[error("the file has {given} bytes; at most {MAX_FILE} are read")]
    TooLarge {
        /// Its length.
        given: u64,
    },
    /// Not a safetensors file.
    #[error("not a safetensors file: {0}")]
    NotSafetensors(String),
    /// The safetensors header is longer than [`MAX_HEADER`].
    #[error("the safetensors header claims {given} bytes; at most {MAX_HEADER} are read")]
    HeaderTooLarge {
        /// The claim.
        given: u64,
    },
    /// The tensors do not fill the rest of the file exactly.
    #[error("the file is cut short or has grown: its tensors do not fill it exactly")]
    Truncated,
    /// A safetensors file that is not a bot.
    #[error("not a cardsharp bot: the metadata has no key `{KEY}`")]
    Foreign,
    /// The metadata cannot be read.
    #[error("the metadata `{KEY}` is damaged: {0}")]
    Metadata(serde_json::Error),
    /// A format of another version.
    #[error("the file has format {given}{}; this program reads format {FORMAT}", by_a_newer(*given, FORMAT))]
    Format {
        /// The file's version.
        given: u64,
    },
    /// The layers in the header make no network.
    #[error(
        "the header's layers {given:?} make no network; expected cells, at least one hidden layer, and actions"
    )]
    Layers {
        /// The header's layers.
        given: Vec<usize>,
    },
    /// More than [`MAX_TENSORS`] tensors.
    #[error("the file has {given} tensors; at most {MAX_TENSORS} are read")]
    TooManyTensors {
        /// How many there are.
        given: usize,
    },
    /// A tensor that the layers need is not there.
    #[error("tensor `{0}` is missing")]
    Missing(String),
    /// A tensor that no layer needs.
    #[error("tensor `{0}` belongs to no layer")]
    Extra(String),
    /// Numbers of another type.
    #[error("tensor `{tensor}` holds {given:?}; expected F32, or U8 for half precision")]
    Type {
        /// Its name.
        tensor: String,
        /// What it holds.
        given: Dtype,
    },
    /// A tensor of another shape than the header's layers ask for.
    #[error("tensor `{tensor}` has shape {given:?}; the layers ask for {expected:?}")]
    Shape {
        /// Its name.
        tensor: String,
        /// Its shape.
        given: Vec<usize>,
        /// What would be right.
        expected: Vec<usize>,
    },
    /// The tensors are not those that were written.
    #[error("the tensors are damaged: their BLAKE3 sum is {given}, the file was written with {expected}")]
    Checksum {
        /// Of the tensors as they are.
        given: String,
        /// As the metadata says.
        expected: String,
    },
    /// An infinity or no number at all.
    #[error("tensor `{tensor}` holds {value} at place {at}; every weight must be finite")]
    NotFinite {
        /// Its name.
        tensor: String,
        /// The place, row-major.
        at: usize,
        /// What is there.
        value: f32,
    },
    /// A weight that half precision has no number for.
    #[error("tensor `{tensor}` holds {value} at place {at}, too large for half precision")]
    TooLargeForHalf {
        /// Its name.
        tensor: String,
        /// The place, row-major.
        at: usize,
        /// What is there.
        value: f32,
    },
    /// The numbers make no network.
    #[error(transparent)]
    Net(#[from] ShapeError),
    /// For another game.
    #[error("the bot plays `{given}`, not `{expected}`")]
    Game {
        /// The header's game.
        given: String,
        /// The game to be played.
        expected: &'static str,
    },
    /// For another version of the game's encodings.
    #[error(
        "the bot reads version {given} of the {game} encodings{}; this program has version {expected}",
        by_a_newer(u64::from(*given), *expected)
    )]
    Encoding {
        /// The game.
        game: &'static str,
        /// The header's version.
        given: u32,
        /// The game's version.
        expected: u32,
    },
    /// Not the game's number of cells and actions.
    #[error("the bot has {given:?} cells and actions; {game} has {expected:?}")]
    Widths {
        /// The game.
        game: &'static str,
        /// The header's cells and actions.
        given: (usize, usize),
        /// The game's.
        expected: (usize, usize),
    },
}
