//! Errors that end a run.

use std::path::PathBuf;

use cardsharp_bot::bots::OpenError;
use cardsharp_bot::bundle::ExportError;
use cardsharp_bot::file::FileError;
use cardsharp_bot::net::ShapeError;
use cardsharp_env::RulesError;

use crate::algorithms::{Diverged, UpdateError};
use crate::checkpoint::CheckpointError;
use crate::device::NoGpu;
use crate::evaluate::EvaluateError;
use crate::metrics::MetricsError;
use crate::rollout::BlockError;
use crate::run_folder::RunError;
use crate::state::StateError;
use cardsharp_bot::workers::Stopped;

/// The program in `league.opponent` failed several times in a row, and is not asked again.
#[derive(Debug, thiserror::Error)]
#[error("`league.opponent` is a program that failed several times in a row; {summary}")]
pub struct GivenUp {
    /// A description of its faults.
    pub summary: String,
}

/// Why the bundle of a run cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The game refuses the rules of a report.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The bundle cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
}

/// Errors that end a run.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TrainError {
    /// There is no such game.
    #[error("there is no game `{game}`")]
    Game {
        /// The name in the configuration.
        game: String,
    },
    /// The game refuses the rules of a table.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The policy cannot be evaluated.
    #[error(transparent)]
    Evaluate(EvaluateError),
    /// The run's folder was moved or edited, or cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The run was asked to stop. [`train`](super::train) does not return this error: it saves and says so in its
    /// outcome.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A checkpoint cannot be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The newest checkpoint does not belong to this run.
    #[error(transparent)]
    State(#[from] StateError),
    /// The record cannot be written.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// The weights are no longer finite.
    #[error(transparent)]
    Diverged(#[from] Diverged),
    /// The network has no policy and value head, so it cannot act.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The bot of `league.opponent` cannot be opened.
    #[error("`league.opponent`: {0}")]
    Opponent(#[from] OpenError),
    /// The program in `league.opponent` failed too often.
    #[error(transparent)]
    GivenUp(#[from] GivenUp),
    /// A bot that the configuration names was replaced since the last checkpoint.
    #[error(
        "{bot}: the bot has changed since {} was written, and a run resumes only with the bots it started with: restore it, or start another run",
        checkpoint.display()
    )]
    Replaced {
        /// Its path, as the configuration has it.
        bot: String,
        checkpoint: PathBuf,
    },
    /// A network cannot be sent to workers.
    #[error("cannot send a network to the workers: {0}")]
    Serialize(#[from] FileError),
    /// A worker's block is invalid.
    #[error("unit {unit}, played by a worker: {source}")]
    Block {
        unit: usize,
        /// What is wrong with it.
        source: BlockError,
    },
    /// Workers played another number of units.
    #[error("units played by workers: {given}, expected {expected}")]
    Blocks {
        /// Number of blocks that arrived.
        given: usize,
        /// Number of units of an iteration.
        expected: usize,
    },
    /// There is no GPU.
    #[error(transparent)]
    Gpu(#[from] NoGpu),
    /// A rollout has no decision of the learner.
    #[error("no player had a choice in a whole rollout: use rules with decisions, or more sessions")]
    NothingToLearn,
}

impl From<EvaluateError> for TrainError {
    fn from(error: EvaluateError) -> Self {
        match error {
            EvaluateError::Stopped(stopped) => Self::Stopped(stopped),
            error => Self::Evaluate(error),
        }
    }
}

impl From<UpdateError> for TrainError {
    fn from(error: UpdateError) -> Self {
        match error {
            UpdateError::Stopped(stopped) => Self::Stopped(stopped),
            UpdateError::Diverged(diverged) => Self::Diverged(diverged),
        }
    }
}
