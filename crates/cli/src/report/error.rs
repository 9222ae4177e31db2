//! Errors of report pages.

use std::path::PathBuf;

use cardsharp_bot::bundle::manifest::Problem;
use cardsharp_bot::run_record::RecordError;

use crate::input::InputError;

/// The metrics file in a run folder.
pub(super) use cardsharp_bot::run_record::METRICS;
/// The list of contests in a bundle.
pub(super) const CONTESTS: &str = "arena.json";

/// Why a page cannot be created.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportError {
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file is not a result of the arena.
    #[error(
        "{path}: {problem}; expected what `cardsharp arena … --json` prints, or the `arena.json` of a bundle"
    )]
    NoContest { path: String, problem: String },
    /// A folder is neither a run nor a bundle.
    #[error(
        "{}: there is no {missing} in this folder; expected a run folder (`{METRICS}` and `config.toml`) or a bundle \
         (`{CONTESTS}`)",
        path.display()
    )]
    NoRun {
        path: PathBuf,
        /// The missing file.
        missing: &'static str,
    },
    /// A sweep is not finished.
    #[error("{}: the sweep is not over yet; resume it with `cardsharp sweep`, or report single settings", path.display())]
    NoSweep { path: PathBuf },
    /// The results of a sweep are invalid.
    #[error("{}: {problem}; `cardsharp sweep` with the same file writes it again from the metrics of its runs", path.display())]
    Results { path: PathBuf, problem: String },
    /// There is no run to watch.
    #[cfg(feature = "serve")]
    #[error(
        "{}: {problem}; expected a run folder, which `cardsharp train` prints when it starts", path.display()
    )]
    NotGoing { path: PathBuf, problem: &'static str },
    /// The metrics of a run were modified.
    #[error(transparent)]
    Unsealed(#[from] RecordError),
    /// The configuration of a run was modified.
    #[error("{path}: the file was edited after the run started: {problem}; restore the original file")]
    Changed {
        path: String,
        /// How the modification was detected.
        problem: String,
    },
    /// A file of a bundle was modified.
    #[error("{path}: {problem}")]
    Bundle { path: String, problem: Problem },
    /// The configuration of a run is invalid.
    #[error("{path}: {problem}; expected the complete configuration of a run")]
    Config {
        path: String,
        /// The problem and its place.
        problem: String,
    },
    /// The metrics of a run are invalid.
    #[error("{path}:{line}: {problem}")]
    Record {
        path: String,
        /// The line, from 1.
        line: usize,
        /// The problem and the expected content.
        problem: String,
    },
    /// The page would replace one of its inputs, or has an invalid place.
    #[error("--to cannot be {}: {expected}", path.display())]
    To {
        path: PathBuf,
        /// A description of a valid place.
        expected: &'static str,
    },
    /// A plot cannot be drawn.
    #[error("a plot cannot be drawn: {0}")]
    Plot(String),
}

impl ReportError {
    /// Whether the input or the request is wrong, rather than its processing.
    pub(crate) fn is_input(&self) -> bool {
        !matches!(self, Self::Plot(_))
    }
}
