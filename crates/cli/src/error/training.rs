//! What can go wrong with runs.

use std::path::{Path, PathBuf};

use cardsharp_bot::arena::command::path as typed;
use cardsharp_bot::disk;
use cardsharp_trainer::exploit::ExploitError;
use cardsharp_trainer::run_folder::RunError;
use cardsharp_trainer::state::StateError;
use cardsharp_trainer::sweep::SweepError;
use cardsharp_trainer::train::{BundleError, CostError, TrainError};

use super::CliError;

/// Why a run cannot be trained or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainingError {
    /// There is a run in the folder already.
    #[error(
        "{} already holds a run: resume it with `cardsharp train --resume {}`, or name another folder with --run",
        path.display(),
        typed(path)
    )]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// There is something else in the folder.
    #[error("{path} is not empty and is not a run folder: name another folder with --run", path = path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// There is no run to go on with.
    #[error("{}", absent(path))]
    Absent {
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
    /// It is not known what a network cost.
    #[error("--cost: {0}")]
    Cost(CostError),
    /// A sweep cannot go on.
    #[error(transparent)]
    Sweep(SweepError),
    /// Nobody can learn to answer a bot.
    #[error(transparent)]
    Exploit(ExploitError),
}

impl TrainingError {
    /// The exit code: 2 for what was asked for, 1 for what went wrong in doing it.
    pub(super) fn code(&self) -> u8 {
        match self {
            Self::Taken { .. }
            | Self::Occupied { .. }
            | Self::Absent { .. }
            | Self::NoCheckpoint { .. }
            | Self::Exploit(_)
            | Self::Cost(CostError::Other { .. } | CostError::Record { .. })
            | Self::Run(
                RunError::Older { .. }
                | RunError::Differs { .. }
                | RunError::Changed { .. }
                | RunError::Record(_)
                | RunError::Fixed { .. }
                | RunError::Done { .. }
                | RunError::Unkept { .. },
            )
            | Self::Train(TrainError::Run(
                RunError::Older { .. } | RunError::Changed { .. } | RunError::Config(_),
            ))
            | Self::Train(
                TrainError::Evaluate(_)
                | TrainError::Rules(_)
                | TrainError::Opponent(_)
                | TrainError::State(StateError::Start(_)),
            ) => 2,
            Self::Sweep(
                SweepError::Occupied { .. } | SweepError::Differs { .. } | SweepError::Changed { .. },
            ) => 2,
            Self::Run(_) | Self::Train(_) | Self::Cost(_) | Self::Sweep(_) => 1,
        }
    }
}

/// What is at the path of a run that is not there.
fn absent(path: &Path) -> String {
    let shown = path.display();
    match path.is_dir() {
        true => format!("{shown} is not a run folder: it has no config.toml"),
        false => format!("{shown}: there is no such folder{}", disk::meant(path)),
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Config(error) => Self::Config(error),
            RunError::Taken { path } => Self::Training(TrainingError::Taken { path }),
            RunError::Occupied { path } => Self::Training(TrainingError::Occupied { path }),
            RunError::Absent { path } => Self::Training(TrainingError::Absent { path }),
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

impl From<CostError> for CliError {
    fn from(error: CostError) -> Self {
        match error {
            CostError::Run(error) => error.into(),
            error => Self::Training(TrainingError::Cost(error)),
        }
    }
}

impl From<TrainError> for CliError {
    fn from(error: TrainError) -> Self {
        Self::Training(error.into())
    }
}

impl From<SweepError> for CliError {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Config(error) => Self::Config(error),
            SweepError::Run(error) => error.into(),
            SweepError::Train(error) => error.into(),
            SweepError::Bundle(error) => error.into(),
            SweepError::Open(error) => Self::Bot(error),
            other => Self::Training(TrainingError::Sweep(other)),
        }
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
            error @ ExploitError::Field(_) => Self::Training(TrainingError::Exploit(error)),
        }
    }
}
