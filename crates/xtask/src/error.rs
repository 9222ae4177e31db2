//! What can go wrong.

use std::path::PathBuf;

use cardsharp_bot::file::FileError;

/// Why no package was made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TaskError {
    /// The disk refused.
    #[error("{}: {source}", path.display())]
    Disk {
        /// With which file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A program did not do its part.
    #[error("`{program}` failed: {why}")]
    Program {
        /// What was called.
        program: String,
        /// How it ended, or why it did not begin.
        why: String,
    },
    /// The standard library is not there for a target.
    #[error("this Rust cannot compile for {0}: run `rustup target add {0}`")]
    Target(&'static str),
    /// What compiles C and links for other systems is not there.
    #[error(
        "cargo-zigbuild is missing, which links this archive for {0}: run `pip install cargo-zigbuild ziglang`"
    )]
    Zig(&'static str),
    /// Cargo says of the packages what cannot be read.
    #[error("cargo metadata: {0}")]
    Metadata(serde_json::Error),
    /// The glue was not made.
    #[error("wasm-bindgen: {0}")]
    Bindgen(String),
    /// A schema says something that has no type here.
    #[error("no type for the schema {0}")]
    Schema(String),
    /// A shipped bot is refused.
    #[error("{}: {source}", path.display())]
    Bot {
        /// Its file.
        path: PathBuf,
        /// The reason.
        source: FileError,
    },
}

/// What the disk refused, with the path.
pub(crate) fn at(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> TaskError {
    let path = path.into();
    move |source| TaskError::Disk { path, source }
}
