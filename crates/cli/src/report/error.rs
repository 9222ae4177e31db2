//! Why a page cannot be made.

use std::path::PathBuf;

use cardsharp_bot::bundle::manifest::Problem;
use cardsharp_bot::run_record::RecordError;

use crate::input::InputError;

/// The record of a run, in its folder.
pub(super) use cardsharp_bot::run_record::METRICS;
/// The list of contests, in a bundle's folder.
pub(super) const CONTESTS: &str = "arena.json";

/// Why a page cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportError {
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file is no result of an arena.
    #[error(
        "{path}: {problem}; expected what `cardsharp arena … --json` prints, or the `arena.json` of a bundle"
    )]
    NoContest {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A folder is no run and no bundle.
    #[error(
        "{}: there is no {missing} in this folder; expected a run folder (`{METRICS}` and `config.toml`) or a bundle \
         (`{CONTESTS}`)",
        path.display()
    )]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What it lacks.
        missing: &'static str,
    },
    /// A sweep is not over.
    #[error("{}: the sweep is not over yet; resume it with `cardsharp sweep`, or report single settings", path.display())]
    NoSweep {
        /// The folder.
        path: PathBuf,
    },
    /// The results of a sweep cannot be understood.
    #[error("{}: {problem}; `cardsharp sweep` with the same file writes it again from the metrics of its runs", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// There is no run to watch.
    #[cfg(feature = "serve")]
    #[error(
        "{}: {problem}; expected a run folder, which `cardsharp train` prints when it starts", path.display()
    )]
    NotGoing {
        /// The folder.
        path: PathBuf,
        /// What it lacks.
        problem: &'static str,
    },
    /// The record of a run is not the one that the run wrote.
    #[error(transparent)]
    Unsealed(#[from] RecordError),
    /// The configuration of a run is not the one that the run wrote.
    #[error("{path}: the file was edited after the run started: {problem}; restore the original file")]
    Changed {
        /// The file.
        path: String,
        /// How it shows.
        problem: String,
    },
    /// A file of a bundle is not the one that was written.
    #[error("{path}: {problem}")]
    Bundle {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: Problem,
    },
    /// The configuration of a run cannot be understood.
    #[error("{path}: {problem}; expected the complete configuration of a run")]
    Config {
        /// The file.
        path: String,
        /// What is wrong with it, and where.
        problem: String,
    },
    /// The record of a run cannot be understood.
    #[error("{path}:{line}: {problem}")]
    Record {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it, and what would be right.
        problem: String,
    },
    /// The page would replace what it is made of, or has no place.
    #[error("--to cannot be {}: {expected}", path.display())]
    To {
        /// What was asked for.
        path: PathBuf,
        /// What would be right.
        expected: &'static str,
    },
    /// A plot cannot be drawn.
    #[error("a plot cannot be drawn: {0}")]
    Plot(String),
}

impl ReportError {
    /// Whether what was asked for is wrong, not what went wrong in doing it.
    pub(crate) fn is_input(&self) -> bool {
        !matches!(self, Self::Plot(_))
    }
}
