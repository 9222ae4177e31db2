//! Why a sweep cannot go on.

use std::io;
use std::path::PathBuf;

use super::engine::Run;
use crate::config::{ConfigError, Difference};
use crate::evaluate::EvaluateError;
use crate::run_folder::RunError;
use crate::train::{BundleError, TrainError};
use cardsharp_bot::OpenError;

/// Why a sweep cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A folder or file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder holds something else.
    #[error("{} is not empty and contains no sweep: choose another folder", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds another sweep.
    #[error(
        "{} contains another sweep: `{}` is {} there and {} here; restore the file, or choose another folder",
        path.display(), difference.field, shown(&difference.one), shown(&difference.other)
    )]
    Differs {
        /// The folder.
        path: PathBuf,
        /// The first field that differs: in the folder, and as asked.
        difference: Difference,
    },
    /// The folder's copy of what the sweep is was changed.
    #[error("{}: the file was edited after the sweep started: {problem}; restore it", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// How it shows.
        problem: String,
    },
    /// The results are not those that were written.
    #[error("{}: {problem}; run the sweep again to rebuild the file from its runs", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The sweep has no TOML form.
    #[error("the sweep cannot be written: {0}")]
    Unwritable(#[from] toml::ser::Error),
    /// A run told something else of an iteration than before.
    #[error(
        "run {} of setting {} measured {now} at iteration {iteration}, but {before} when it was trained before. Another \
         version of the program can cause this: delete the sweep's folder and start over",
        run.seed + 1, run.setting + 1
    )]
    Otherwise {
        /// The run.
        run: Run,
        /// The iteration.
        iteration: u64,
        /// What it told then.
        before: f64,
        /// What it tells now.
        now: f64,
    },
    /// A run told of an iteration that was not due.
    #[error(
        "run {} of setting {} reported iteration {iteration}, expected {}", run.seed + 1, run.setting + 1,
        expected.map_or_else(|| "nothing".to_owned(), |expected| expected.to_string())
    )]
    Order {
        /// The run.
        run: Run,
        /// The iteration.
        iteration: u64,
        /// The one that was due.
        expected: Option<u64>,
    },
    /// A run has no figure to be compared by.
    #[error("{}: settings are compared by `{figure}`, and iteration {iteration} has none", path.display())]
    Unmeasured {
        /// The run's folder.
        path: PathBuf,
        /// The figure.
        figure: String,
        /// The iteration.
        iteration: u64,
    },
    /// The file, or a setting, is refused.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder of a run cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A run cannot go on.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// What came of a run cannot be written.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// What came of a run cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The best setting cannot be measured once more.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
}

fn shown(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("not there")
}
