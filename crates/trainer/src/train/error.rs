//! Why a run cannot go on.

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

/// The program that holds the other seats failed several times in a row, and is asked no more.
#[derive(Debug, thiserror::Error)]
#[error("`league.opponent` is a program that failed several times in a row; {told}")]
pub struct GivenUp {
    /// What it did wrong.
    pub told: String,
}

/// Why what came of a run cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The game refuses the rules of a report.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The bundle cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
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
    /// Strength cannot be measured.
    #[error(transparent)]
    Evaluate(EvaluateError),
    /// The run's folder is not what it was.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It was asked to stop. [`train`](super::train) says so by its outcome, after it has saved.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A checkpoint cannot be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The newest checkpoint is not one of this run.
    #[error(transparent)]
    State(#[from] StateError),
    /// The record cannot be written.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// The weights are no longer numbers.
    #[error(transparent)]
    Diverged(#[from] Diverged),
    /// The network cannot be shown to actors.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The bot that is to be answered cannot be had.
    #[error("`league.opponent`: {0}")]
    Opponent(#[from] OpenError),
    /// The program that is to be answered does not play any more.
    #[error(transparent)]
    GivenUp(#[from] GivenUp),
    /// A bot that the configuration names was replaced since the run was left.
    #[error(
        "{bot}: the bot has changed since {} was written, and a run resumes only with the bots it started with: restore it, or start another run",
        checkpoint.display()
    )]
    Replaced {
        /// Its path, as the configuration has it.
        bot: String,
        /// The checkpoint.
        checkpoint: PathBuf,
    },
    /// The bot that is to search cannot be had.
    #[error("`league.searcher`: {0}")]
    Searcher(OpenError),
    /// The policy is to search, and cannot.
    #[error(
        "`league.searcher` is `current`, but a search needs a built-in network: with your own network, use a bot or `league.search = 0`"
    )]
    Current,
    /// A network cannot be sent to those who play elsewhere.
    #[error("cannot send a network to the workers: {0}")]
    Parcel(#[from] FileError),
    /// What somebody played elsewhere is of no use.
    #[error("unit {unit}, played by a worker: {source}")]
    Block {
        /// The unit's number.
        unit: usize,
        /// What is wrong with it.
        source: BlockError,
    },
    /// Somebody elsewhere played another number of units.
    #[error("units played by workers: {given}, expected {expected}")]
    Blocks {
        /// How many blocks came.
        given: usize,
        /// How many units an iteration has.
        expected: usize,
    },
    /// There is no GPU.
    #[error(transparent)]
    Gpu(#[from] NoGpu),
    /// A rollout without any decision of the learner.
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
