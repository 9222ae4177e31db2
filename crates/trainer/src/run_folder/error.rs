//! Why a run's folder cannot be trained in.

use std::io;
use std::path::{Path, PathBuf};

use cardsharp_bot::run_record::RecordError;

use super::changes::{self, MAY_CHANGE, shown};
use crate::checkpoint::CheckpointError;
use crate::config::{ConfigError, FieldDifference};

/// Why a folder cannot be trained in.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RunError {
    /// The folder or a file in it could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The folder contains a run already.
    #[error("{} already contains a run: resume it, or choose another name", path.display())]
    Taken { path: PathBuf },
    /// The folder contains other files.
    #[error("{} is not empty and contains no run: choose another name", path.display())]
    Occupied { path: PathBuf },
    /// A field cannot change, because completed iterations depend on it.
    #[error(
        "{}: `{}` is {} in this run and cannot become {}: {}; these may change: {}", path.display(), difference.field,
        shown(&difference.one), shown(&difference.other), changes::reason(&difference.field), MAY_CHANGE.join(", ")
    )]
    Fixed {
        path: PathBuf,
        /// The field: its value in the run, and the new value.
        difference: FieldDifference,
    },
    /// The new last iteration is before the current one.
    #[error("{}: `iterations` cannot be {given}: {done} iterations are done; expected at least {done}", path.display())]
    Done {
        path: PathBuf,
        /// The new number of iterations.
        given: u64,
        /// Iterations that are done.
        done: u64,
    },
    /// The configuration cannot change, because the run has no checkpoint.
    #[error(
        "{}: the run has no checkpoint yet: resume it unchanged, or start another run", path.display()
    )]
    Unkept { path: PathBuf },
    /// There is no run in the folder.
    #[error("{}: there is no run to resume", path.display())]
    Absent { path: PathBuf },
    /// Another process trains in the folder.
    #[error("{}: another process is training in this folder", path.display())]
    Locked { path: PathBuf },
    /// The folder was moved, deleted or replaced.
    #[error(
        "{}: the run's folder was moved, deleted or replaced during training ({problem}); put it back, or resume the run \
         at its new place", path.display()
    )]
    Gone {
        path: PathBuf,
        /// What was found instead.
        problem: String,
    },
    /// The configuration was edited after the run started.
    #[error(
        "{}: the file was edited after the run started: {problem}; {}", path.display(), remedy(path, copy.as_deref())
    )]
    Changed {
        path: PathBuf,
        /// What does not match.
        problem: String,
        /// A copy of the original configuration, if there is one.
        copy: Option<PathBuf>,
    },
    /// The run has another configuration.
    #[error(
        "{} contains a run with another configuration: `{}` is {} there and {} here",
        path.display(), difference.field, shown(&difference.one), shown(&difference.other)
    )]
    Differs {
        path: PathBuf,
        /// The first field that differs: its value in the folder, and the value asked for.
        difference: FieldDifference,
    },
    /// An earlier version of the program started the run; names in its configuration have changed.
    #[error(
        "{outdated}. An earlier version of cardsharp wrote this run, and this version cannot resume it: start a new run, \
         which can take its initial weights from a checkpoint of this one (`net.init_from`)"
    )]
    Older {
        /// The first name that this version does not have, with its place.
        outdated: ConfigError,
    },
    /// The configuration in the folder cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The configuration has no TOML form.
    #[error("the configuration cannot be written: {0}")]
    Unwritable(#[from] toml::ser::Error),
    /// The record was edited after the run wrote it.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The directory of checkpoints cannot be created or cleaned.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

fn remedy(path: &Path, copy: Option<&Path>) -> String {
    match copy {
        Some(copy) => format!("restore it from {}", copy.display()),
        None => format!("restore it, or start a new run with `train {}`", path.display()),
    }
}
