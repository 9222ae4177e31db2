//! Errors of report pages.

use std::path::PathBuf;

use cardsharp_bot::bundle::manifest::BundleProblem;
use cardsharp_bot::run_record::RecordError;
use cardsharp_text::input::InputError;

pub(crate) use cardsharp_bot::run_record::{METRICS, TIMING};
/// The list of contests in a bundle.
pub(crate) const CONTESTS: &str = "arena.json";

/// Why a page cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file is not a result of the arena.
    #[error(
        "{path}: {problem}; expected what `cardsharp arena … --json` prints, or the `arena.json` of a bundle"
    )]
    NoContest {
        /// The name of the input.
        path: String,
        /// What is wrong, and where.
        problem: String,
    },
    /// A folder is neither a run nor a bundle.
    #[error(
        "{}: there is no {missing} in this folder; expected a run folder (`{METRICS}` and `config.toml`) or a bundle \
         (`{CONTESTS}`)",
        path.display()
    )]
    NoRun {
        /// The folder that should have a run or a bundle.
        path: PathBuf,
        missing: &'static str,
    },
    /// A sweep is not finished.
    #[error("{}: the sweep is not over yet; resume it with `cardsharp sweep`, or report single settings", path.display())]
    NoSweep {
        /// The folder of the sweep.
        path: PathBuf,
    },
    /// The results of a sweep are invalid.
    #[error("{}: {problem}; `cardsharp sweep` with the same file writes it again from the metrics of its runs", path.display())]
    Results {
        /// The file with the results.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
    },
    /// There is no run to watch.
    #[error(
        "{}: {problem}; expected a run folder, which `cardsharp train` prints when it starts", path.display()
    )]
    NoWatchedRun {
        /// The folder that should have a run.
        path: PathBuf,
        /// What the folder lacks.
        problem: &'static str,
    },
    /// The metrics of a run were modified.
    #[error(transparent)]
    Unsealed(#[from] RecordError),
    /// The configuration of a run was modified.
    #[error("{path}: the file was edited after the run started: {problem}; restore the original file")]
    Changed {
        /// The name of the configuration file.
        path: String,
        /// How the modification was detected.
        problem: String,
    },
    /// A file of a bundle was modified.
    #[error("{path}: {problem}")]
    Bundle {
        /// The name of the file.
        path: String,
        /// The difference from the manifest.
        problem: BundleProblem,
    },
    /// The configuration of a run is invalid.
    #[error("{path}: {problem}; expected the complete configuration of a run")]
    Config {
        /// The name of the file, with the line if it is known.
        path: String,
        problem: String,
    },
    /// The metrics of a run are invalid.
    #[error("{path}:{line}: {problem}")]
    Record {
        /// The name of the metrics file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The problem and the expected content.
        problem: String,
    },
    /// The page would replace one of its inputs, or has an invalid place.
    #[error("--to cannot be {}: {expected}", path.display())]
    To {
        /// The place of the page.
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
    pub fn is_input(&self) -> bool {
        !matches!(self, Self::Plot(_))
    }
}
