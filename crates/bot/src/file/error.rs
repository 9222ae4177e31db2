//! Errors of bot files.

use std::path::PathBuf;

use safetensors::Dtype;

use super::{FORMAT, KEY, MAX_FILE, MAX_HEADER, MAX_TENSORS};
use crate::manifest::{BundleProblem, by_a_newer};
use crate::net::{Activation, ShapeError};

/// Why a bot file was refused.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FileError {
    /// The system cannot read the file.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    /// The file differs from the manifest of its bundle.
    #[error("{0}")]
    Bundle(BundleProblem),
    /// The file has more than [`MAX_FILE`] bytes.
    #[error("the file has {given} bytes; at most {MAX_FILE} are read")]
    TooLarge {
        /// The file's length in bytes.
        given: u64,
    },
    /// The file is not in the safetensors format.
    #[error("not a safetensors file: {0}")]
    NotSafetensors(String),
    /// The safetensors header is longer than [`MAX_HEADER`].
    #[error("the safetensors header claims {given} bytes; at most {MAX_HEADER} are read")]
    HeaderTooLarge {
        /// The length that the file claims, in bytes.
        given: u64,
    },
    /// The tensors do not fill the rest of the file exactly.
    #[error("the file is cut short or has grown: its tensors do not fill it exactly")]
    Truncated,
    /// The safetensors file has no `cardsharp` metadata.
    #[error("not a cardsharp bot: the metadata has no key `{KEY}`")]
    Foreign,
    /// The metadata cannot be read.
    #[error("the metadata `{KEY}` is damaged: {0}")]
    Metadata(serde_json::Error),
    /// The file has another version of the format.
    #[error("the file has format {given}{}; this program reads format {FORMAT}", by_a_newer(*given, FORMAT))]
    Format { given: u64 },
    /// The layers in the header do not make a network.
    #[error(
        "the header's layers {given:?} make no network; expected cells, at least one hidden layer, and actions"
    )]
    Layers { given: Vec<usize> },
    /// The network has another function after its hidden layers.
    #[error("the header names {given} after the hidden layers; expected {expected}")]
    Activation { given: Activation, expected: Activation },
    /// More than [`MAX_TENSORS`] tensors.
    #[error("the file has {given} tensors; at most {MAX_TENSORS} are read")]
    TooManyTensors {
        /// Number of tensors in the file.
        given: usize,
    },
    /// The file lacks a tensor that the layers need.
    #[error("tensor `{0}` is missing")]
    Missing(String),
    /// The file has a tensor that no layer needs.
    #[error("tensor `{0}` belongs to no layer")]
    Extra(String),
    /// A tensor has another number type.
    #[error("tensor `{tensor}` holds {given:?}; expected F32, or U8 for half precision")]
    Type {
        tensor: String,
        /// The type in the file.
        given: Dtype,
    },
    /// The shape of a tensor does not match the header's layers.
    #[error("tensor `{tensor}` has shape {given:?}; the layers ask for {expected:?}")]
    Shape { tensor: String, given: Vec<usize>, expected: Vec<usize> },
    /// The tensors changed after they were written.
    #[error("the tensors are damaged: their BLAKE3 sum is {given}, the file was written with {expected}")]
    Checksum {
        /// The hash of the tensors in the file.
        given: String,
        /// The hash in the metadata.
        expected: String,
    },
    /// A number is infinite or NaN.
    #[error("tensor `{tensor}` holds {value} at place {at}; every weight must be finite")]
    NotFinite {
        tensor: String,
        /// The index in row-major order.
        at: usize,
        value: f32,
    },
    /// A weight is outside the range of half precision.
    #[error("tensor `{tensor}` holds {value} at place {at}, too large for half precision")]
    TooLargeForHalf {
        tensor: String,
        /// The index in row-major order.
        at: usize,
        value: f32,
    },
    /// The weights do not make a network.
    #[error(transparent)]
    Net(#[from] ShapeError),
    /// The bot is for another game.
    #[error("the bot plays `{given}`, not `{expected}`")]
    Game { given: String, expected: &'static str },
    /// The bot is for another version of the game's encoding.
    #[error(
        "the bot reads version {given} of the {game} encodings{}; this program has version {expected}",
        by_a_newer(u64::from(*given), *expected)
    )]
    Encoding { game: &'static str, given: u32, expected: u32 },
    /// The bot has another number of cells or actions than the game.
    #[error("the bot has {given:?} cells and actions; {game} has {expected:?}")]
    Widths {
        game: &'static str,
        /// The header's cells and actions.
        given: (usize, usize),
        /// The game's cells and actions.
        expected: (usize, usize),
    },
}
