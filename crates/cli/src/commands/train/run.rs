//! Trains one run: its progress, its interruption and its errors.

use std::path::{Path, PathBuf};

use cardsharp_bot::arena::command::path as typed;
use cardsharp_bot::disk;
use cardsharp_trainer::config::Config;
use cardsharp_trainer::exploit::ExploitError;
use cardsharp_trainer::run_folder::{RunError, RunFolder};
use cardsharp_trainer::state::StateError;
use cardsharp_trainer::sweep::SweepError;
use cardsharp_trainer::train::{self, BundleError, CostError, RunOutcome, TrainError};
use serde_json::json;

use super::progress::RunProgress;
use crate::args::program;
use crate::error::{CliError, Failure};
use crate::output::Output;
use crate::signals::Signals;

/// Trains a run and shows its progress. Afterwards only the bundle is written to the folder.
///
/// # Errors
/// Training failed, or a signal stopped it. After a signal, the output has said how `command` resumes the run.
pub(crate) fn train_to_end(
    out: &mut Output,
    command: &str,
    config: &Config,
    folder: &RunFolder,
    signals: &Signals,
) -> Result<RunOutcome, CliError> {
    let progress = RunProgress::new(config.iterations, folder.path());
    let outcome = train::train(
        config,
        folder,
        &mut |step| progress.step(step),
        &mut |what| progress.doing(what),
        signals.stop(),
    )?;
    progress.finish(&outcome.warnings);
    if !outcome.finished {
        // Ignore errors: the terminal or the pipe may be closed, and the exit code reports the interruption.
        let _ = stopped(out, command, folder.path(), &outcome).and_then(|()| out.flush());
        return Err(signals.interrupted());
    }
    // If the folder was moved, the export must not create it again.
    folder.check()?;
    Ok(outcome)
}

fn stopped(out: &mut Output, command: &str, run: &Path, outcome: &RunOutcome) -> Result<(), CliError> {
    if out.json {
        return out.json_page(&json!({
            "finished": false, "run": run, "iterations": outcome.iteration, "decisions": outcome.decisions,
        }));
    }
    out.line(format!("Stopped. Saved after iteration {}.", outcome.iteration))?;
    out.command(format!("Resume with: {} {command} --resume {}", program(), typed(run)))
}

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
    #[error("{}: the run has no checkpoint yet: resume it, and export it after its first checkpoint", run.display())]
    NoCheckpoint { run: PathBuf },
    /// A run folder cannot be used.
    #[error(transparent)]
    Run(RunError),
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The cost of a network is unknown.
    #[error("--cost: {0}")]
    Cost(CostError),
    #[error(transparent)]
    Sweep(SweepError),
    /// No best response to the bot can be trained.
    #[error(transparent)]
    Exploit(ExploitError),
}

impl Failure for TrainingError {
    fn code(&self) -> u8 {
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
            RunError::Taken { path } => TrainingError::Taken { path }.into(),
            RunError::Occupied { path } => TrainingError::Occupied { path }.into(),
            RunError::Absent { path } => TrainingError::Absent { path }.into(),
            other => TrainingError::Run(other).into(),
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
            error => TrainingError::Cost(error).into(),
        }
    }
}

impl From<TrainError> for CliError {
    fn from(error: TrainError) -> Self {
        TrainingError::from(error).into()
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
            other => TrainingError::Sweep(other).into(),
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
            error @ ExploitError::Field(_) => TrainingError::Exploit(error).into(),
        }
    }
}
