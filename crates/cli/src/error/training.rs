//! Errors of runs.

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
    /// The folder contains a run already.
    #[error(
        "{} already holds a run: resume it with `cardsharp train --resume {}`, or name another folder with --run",
        path.display(),
        typed(path)
    )]
    Taken { path: PathBuf },
    /// The folder contains other files.
    #[error("{path} is not empty and is not a run folder: name another folder with --run", path = path.display())]
    Occupied { path: PathBuf },
    /// There is no run to resume.
    #[error("{}", absent(path))]
    Absent { path: PathBuf },
    /// The run has nothing to export.
    #[error("{}: the run has no checkpoint yet", run.display())]
    NoCheckpoint { run: PathBuf },
    /// A run folder cannot be used.
    #[error(transparent)]
    Run(RunError),
    /// A run cannot continue.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The cost of a network is unknown.
    #[error("--cost: {0}")]
    Cost(CostError),
    /// A sweep cannot continue.
    #[error(transparent)]
    Sweep(SweepError),
    /// No best response to the bot can be trained.
    #[error(transparent)]
    Exploit(ExploitError),
}

impl TrainingError {
    /// Returns the exit code: 2 for an invalid request, 1 for a failure.
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

/// Describes why there is no run at a path.
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
