//! What can go wrong with runs.

use std::path::PathBuf;

use cardsharp_trainer::exploit::ExploitError;
use cardsharp_trainer::run_folder::RunError;
use cardsharp_trainer::state::StateError;
use cardsharp_trainer::train::{BundleError, TrainError};

use super::CliError;

/// Why a run cannot be trained or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainingError {
    /// There is something in the run's folder already.
    #[error(
        "{path} is not empty; go on with the run in it (train --resume {path}) or name another folder with --run",
        path = path.display()
    )]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// There is nothing to export.
    #[error("{}: the run has no checkpoint yet", run.display())]
    NoCheckpoint {
        /// The run's folder.
        run: PathBuf,
    },
    /// A run folder cannot be used.
    #[error(transparent)]
    Run(RunError),
    /// A run cannot go on.
    #[error(transparent)]
    Train(#[from] TrainError),
}

impl TrainingError {
    /// The exit code: 2 for what was asked for, 1 for what went wrong in doing it.
    pub(super) fn code(&self) -> u8 {
        match self {
            Self::Taken { .. }
            | Self::NoCheckpoint { .. }
            | Self::Run(RunError::Absent { .. } | RunError::Differs { .. } | RunError::Changed { .. })
            | Self::Train(TrainError::Run(RunError::Changed { .. } | RunError::Config(_)))
            | Self::Train(
                TrainError::Evaluate(_)
                | TrainError::Rules(_)
                | TrainError::Opponent(_)
                | TrainError::State(StateError::Start(_)),
            ) => 2,
            Self::Run(_) | Self::Train(_) => 1,
        }
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Config(error) => Self::Config(error),
            RunError::Taken { path } => Self::Training(TrainingError::Taken { path }),
            other => Self::Training(TrainingError::Run(other)),
        }
    }
}

impl From<BundleError> for CliError {
    fn from(error: BundleError) -> Self {
        match error {
            BundleError::Rules(error) => Self::Rules(error),
            BundleError::Export(error) => Self::Export(error),
        }
    }
}

impl From<TrainError> for CliError {
    fn from(error: TrainError) -> Self {
        Self::Training(error.into())
    }
}

impl From<ExploitError> for CliError {
    fn from(error: ExploitError) -> Self {
        match error {
            ExploitError::Open(error) => Self::Bot(error),
            ExploitError::Train(error) => error.into(),
            ExploitError::Run(error) => error.into(),
            ExploitError::Rules(error) => error.into(),
            ExploitError::Arena(error) => error.into(),
        }
    }
}
