//! Errors that end a sweep.

use std::io;
use std::path::PathBuf;

use super::plan::RunIndex;
use crate::config::{ConfigError, FieldDifference};
use crate::evaluate::EvaluateError;
use crate::run_folder::RunError;
use crate::train::{BundleError, TrainError};
use cardsharp_bot::OpenError;

/// Errors that end a sweep.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SweepError {
    /// A folder or file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The folder contains files that are not of a sweep.
    #[error("{} is not empty and contains no sweep: choose another folder", path.display())]
    Occupied { path: PathBuf },
    /// The folder contains another sweep.
    #[error(
        "{} contains another sweep: `{}` is {} there and {} here; restore the file, or choose another folder",
        path.display(), difference.field, shown(&difference.one), shown(&difference.other)
    )]
    Differs {
        path: PathBuf,
        /// The first field that differs: its value in the folder, and its value in the sweep file.
        difference: FieldDifference,
    },
    /// The folder's copy of the plan was edited.
    #[error("{}: the file was edited after the sweep started: {problem}; restore it", path.display())]
    Changed {
        path: PathBuf,
        /// What does not match.
        problem: String,
    },
    /// The file of results was edited or damaged.
    #[error("{}: {problem}; run the sweep again to rebuild the file from its runs", path.display())]
    Results {
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The sweep has no TOML form.
    #[error("the sweep cannot be written: {0}")]
    Unwritable(#[from] toml::ser::Error),
    /// A run that was trained again measured another value.
    #[error(
        "run {} of setting {} measured {now} at iteration {iteration}, but {before} when it was trained before. Another \
         version of the program can cause this: delete the sweep's folder and start over",
        run.seed + 1, run.setting + 1
    )]
    Otherwise { run: RunIndex, iteration: u64, before: f64, now: f64 },
    /// A run reported an iteration that was not due.
    #[error(
        "run {} of setting {} reported iteration {iteration}, expected {}", run.seed + 1, run.setting + 1,
        expected.map_or_else(|| "nothing".to_owned(), |expected| expected.to_string())
    )]
    Order {
        run: RunIndex,
        iteration: u64,
        /// The iteration that was due.
        expected: Option<u64>,
    },
    /// The record of a run lacks the metric that settings are compared by.
    #[error("{}: settings are compared by `{figure}`, and iteration {iteration} has none", path.display())]
    Unmeasured { path: PathBuf, figure: String, iteration: u64 },
    /// The sweep file or a setting is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder of a run cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The training of a run failed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The bundle of a run cannot be written.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The bundle of a run cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The second evaluation of the best setting failed.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
}

fn shown(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("not there")
}
