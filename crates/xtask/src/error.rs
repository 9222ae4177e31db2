//! The errors of the tasks.

use std::path::PathBuf;

use cardsharp_bot::file::FileError;
use cardsharp_bot::identity::IdentityError;
use cardsharp_bot::manifest::ManifestError;

/// Why a task failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TaskError {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("`{program}` failed: {why}")]
    Program {
        /// The name of the program.
        program: String,
        /// Its exit status, or why it did not start.
        why: String,
    },
    /// The standard library for a target is not installed.
    #[error("this Rust cannot compile for {0}: run `rustup target add {0}`")]
    Target(&'static str),
    /// A program is not installed.
    #[error("`{program}` is missing: run `{remedy}`")]
    Missing {
        program: String,
        /// The command that installs it.
        remedy: &'static str,
    },
    /// Another system must build this.
    #[error("it is built on {0}")]
    System(&'static str),
    /// Files differ from the last commit, so it does not describe the release.
    #[error("commit these changes first:\n{0}")]
    Uncommitted(String),
    /// The commit has the tag of another version.
    #[error(
        "this commit has the tag {0}, and its version is {version}: run `cargo xtask version` before you tag",
        version = env!("CARGO_PKG_VERSION")
    )]
    Tag(String),
    /// The change log has no section for this version.
    #[error(
        "CHANGELOG.md has no section `## {version} — DATE`: write what users notice",
        version = env!("CARGO_PKG_VERSION")
    )]
    Notes,
    /// A version or a date is not three numbers.
    #[error("cannot use `{0}`: expected a version like 0.2.0 and a date like 2027-01-31")]
    Number(String),
    /// Files of the release are missing. They are listed before.
    #[error("{0} files of the release are missing")]
    Incomplete(usize),
    /// The output of `cargo metadata` is not valid.
    #[error("cargo metadata: {0}")]
    Metadata(serde_json::Error),
    /// The workspace has no crate with this name.
    #[error("the workspace has no crate {0}")]
    NoCrate(String),
    /// The JavaScript glue cannot be generated.
    #[error("wasm-bindgen: {0}")]
    Bindgen(String),
    /// A schema has no TypeScript type.
    #[error("no type for the schema {0}")]
    Schema(String),
    /// A shipped bot cannot be read.
    #[error("{}: {source}", path.display())]
    Bot { path: PathBuf, source: FileError },
    /// The manifest of a shipped bot cannot be read.
    #[error(transparent)]
    Manifest(ManifestError),
    /// A file of a shipped bot differs from its manifest.
    #[error("{}: it differs from the manifest", .0.display())]
    Changed(PathBuf),
    /// The name of a shipped bot cannot be read.
    #[error("{}: {source}", path.display())]
    Identity { path: PathBuf, source: IdentityError },
}

impl TaskError {
    /// Whether it could be built on another machine, or with another program installed.
    pub(crate) fn is_missing_tool(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::System(_) | Self::Target(_))
    }
}

/// Returns a function that adds a path to an error of the system.
pub(crate) fn at(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> TaskError {
    let path = path.into();
    move |source| TaskError::Disk { path, source }
}
