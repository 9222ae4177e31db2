//! The outcome of a run, and its export.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::bundle::{self, ExportError, Extras};
use cardsharp_bot::file::Header;
use cardsharp_env::Games;

use super::{BundleError, TrainError};
use crate::checkpoint::{Checkpoints, Latest};
use crate::config::Config;
use crate::evaluate::Findings;
use crate::nn::custom::{PolicyModule, module_of};
use crate::run_folder::{CHECKPOINTS, RunError, RunFolder};
use crate::state::Best;

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// Whether all iterations are complete; otherwise the run was asked to stop.
    pub finished: bool,
    /// Iterations that are complete.
    pub iteration: u64,
    /// Decisions of the learner since the run began.
    pub decisions: u64,
    /// The current policy.
    pub net: Arc<dyn PolicyNet>,
    /// The header of a file with that network.
    pub header: Header,
    /// The strongest policy in evaluations.
    pub best: Option<Best>,
    /// The evaluation after the last iteration; empty if stopped before.
    pub findings: Findings,
    /// Problems after the last [`Progress`](super::Progress) report.
    pub warnings: Vec<String>,
}

impl Outcome {
    /// Writes the network as a bundle, with the final evaluation. Replaces an existing bundle.
    ///
    /// # Errors
    /// The network fits no game of `games`, or the folder cannot be written.
    pub fn export(&self, games: &Games, config: &Config, to: &Path) -> Result<(), BundleError> {
        // A command repeats the evaluation only if all networks play their best moves (temperature 0).
        let contests = if config.is_repeatable() { self.findings.contests(games)? } else { Vec::new() };
        let extras = Extras { contests, seed: config.seed, ..Extras::default() };
        let net = Arc::clone(&self.net).plain().ok_or(ExportError::Architecture)?;
        Ok(bundle::export(games, &self.header, &net, &extras, to)?)
    }

    /// Returns the module that was trained, where the program set `Config::network` to one of this type.
    pub fn module<M: PolicyModule>(&self) -> Option<M> {
        module_of(&*self.net)
    }
}

/// Returns the checkpoint to export: the best one, or the newest if there is no best one. A path without a run is
/// returned unchanged. Returns none for a run without checkpoints.
///
/// # Errors
/// The run cannot be read, or its game is not one of `games`.
pub fn worth_exporting(games: &Games, given: &Path) -> Result<Option<PathBuf>, TrainError> {
    match RunFolder::config_among(games, given) {
        Err(RunError::Absent { .. }) => return Ok(Some(given.to_owned())),
        other => other?,
    };
    let checkpoints = Checkpoints::new(&given.join(CHECKPOINTS), 1);
    let latest = checkpoints.latest_valid()?;
    Ok(latest.map(|Latest { checkpoint, .. }| {
        // The newest checkpoint may be damaged. Then an older one may name a best checkpoint that was removed for a
        // better one.
        let best = checkpoint.best.map(|iteration| checkpoints.path(iteration)).filter(|best| best.is_dir());
        best.unwrap_or(checkpoint.path)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_best_is_not_there_the_newest_is_worth_exporting() {
        let runs = tempfile::tempdir().expect("a folder");
        let path = runs.path().join("run");
        let overrides = ["checkpoint.keep=2".to_owned()];
        let config =
            Config::parse("run.toml", "game = \"dalmuti\"", &overrides).expect("a valid configuration");
        let folder = RunFolder::create(&path, &config).expect("an empty folder");
        let worth = || worth_exporting(&config.games, &path).expect("a run");
        assert_eq!(worth(), None);
        for (iteration, best) in [(1, 1), (2, 1), (3, 3)] {
            let files = [("bot.safetensors".to_owned(), vec![7])].into();
            folder.checkpoints().write(iteration, Some(best), &files).expect("a checkpoint");
            assert_eq!(worth(), Some(folder.checkpoints().path(best)));
        }
        std::fs::write(folder.checkpoints().path(3).join("bot.safetensors"), [8]).expect("a file");
        assert_eq!(worth(), Some(folder.checkpoints().path(2)));
    }
}
