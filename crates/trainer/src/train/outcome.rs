//! The outcome of a run: its network, the export as a bundle, and the cost of training.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::bots::any_network;
use cardsharp_bot::bots::registry::place;
use cardsharp_bot::bundle::{self, Cost, ExportError, Extras};
use cardsharp_bot::file::{Header, START};
use cardsharp_bot::run_record::{MetricsTable, RunRecord, TIMING, metric};
use cardsharp_env::Games;
use serde_json::{Value, json};

use super::{BundleError, TrainError};
use crate::checkpoint::{Checkpoints, Latest};
use crate::config::Config;
use crate::evaluate::Findings;
use crate::nn::custom::{PolicyModule, module_of};
use crate::run_folder::{CHECKPOINTS, RunError, RunFolder};
use crate::state::Best;

/// How a run ended.
#[derive(Debug)]
pub struct RunOutcome {
    /// Whether all iterations are complete; otherwise the run was asked to stop.
    pub finished: bool,
    /// Iterations that are complete.
    pub iteration: u64,
    /// Decisions of the learner since the run began.
    pub decisions: u64,
    /// The policy after the last iteration.
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

impl RunOutcome {
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

/// Returns the training cost of a network on `processor`, a name that the caller chooses. It adds the seconds in the
/// `timing.csv` of `run`, up to the network's iteration, and the `cost.json` of the bundle in `net.init_from`, if any.
///
/// # Errors
/// There is no such run, its record was edited, or the network is from another run. Or the seconds of an iteration, or
/// the cost of the bot in `net.init_from`, are unknown.
pub fn cost(
    games: &Games,
    run: &Path,
    header: &Header,
    processor: Option<String>,
) -> Result<Cost, CostError> {
    let config = RunFolder::config_among(games, run)?;
    let same = |field: &'static str, expected: String, given: String| match expected == given {
        true => Ok(()),
        false => Err(CostError::Other { run: run.to_owned(), field, expected, given }),
    };
    same("game", config.game, header.game.clone())?;
    same("seed", json!(config.seed).to_string(), header.training["seed"].to_string())?;
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|source| CostError::Io { path: path.to_owned(), source })
    };
    let iterations = header.training["iterations"].as_u64().unwrap_or_default();
    let record =
        MetricsTable::parse_lenient(&RunRecord::read(run).map_err(RunError::from)?.text).unwrap_or_default();
    let row = record.rows().iter().find(|row| row.iteration == iterations);
    let decisions = record.column(metric::DECISIONS).and_then(|column| row?.get(column));
    let decisions = decisions.map_or_else(|| "not on record".to_owned(), |count| (count as u64).to_string());
    same("number of decisions", decisions, header.training["decisions"].to_string())?;
    let path = run.join(TIMING);
    let text = read(&path)?;
    let before = match header.training.get(START) {
        Some(training) => before(&config.net.init_from, training)?,
        None => 0.0,
    };
    match seconds(&text, iterations) {
        Ok(seconds) => Ok(Cost { core_seconds: before + seconds, processor }),
        Err((line, problem)) => Err(CostError::Record { path, line, problem }),
    }
}

/// Returns the core seconds of the bot in `net.init_from`, if its header still has this `training`.
fn before(bot: &str, training: &Value) -> Result<f64, CostError> {
    let start = |problem: String| CostError::Start { bot: bot.to_owned(), problem };
    let (header, _) = any_network(bot).map_err(|error| start(error.to_string()))?;
    if header.training != *training {
        return Err(start(format!("it learned from {training}, and is another one now")));
    }
    let place = place(bot).map_err(|error| start(error.to_string()))?;
    match Extras::at(&place).map_err(|error| start(error.to_string()))?.cost {
        Some(cost) => Ok(cost.core_seconds),
        None => Err(start(
            "it has no `cost.json`; `cardsharp export` with `--cost` writes one, and that of a bot that ships is found where \
             `net.init_from` names its folder, `checkpoints/GAME/bot`"
                .to_owned(),
        )),
    }
}

/// Returns the core seconds of the first `iterations` iterations in the text of a `timing.csv`, or the line that lacks
/// them.
fn seconds(text: &str, iterations: u64) -> Result<f64, (u64, String)> {
    let name = metric::CORE_TIME.name;
    let table = MetricsTable::parse_lenient(text).unwrap_or_default();
    let Some(column) = table.column(name) else {
        return Err((1, format!("expected a column `{name}`, which runs of this version have")));
    };
    if iterations == 0 {
        return Err((1, "expected a network that learned in one iteration at least".to_owned()));
    }
    let mut rows = table.rows().iter();
    let of_iteration = |iteration: u64| {
        let wrong = |problem: String| (iteration + 1, problem);
        let row = rows.next().filter(|row| row.iteration == iteration);
        let row = row.ok_or_else(|| wrong(format!("expected the row of iteration {iteration}")))?;
        row.get(column).filter(|seconds| seconds.is_finite() && *seconds > 0.0).ok_or_else(|| {
            wrong(format!(
                "expected seconds as `{name}`; there are none where others played, on machines of their own"
            ))
        })
    };
    (1..=iterations).map(of_iteration).sum()
}

/// Why the cost of a network is unknown.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum CostError {
    /// The folder contains no run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The network is from another run.
    #[error("{}: the network belongs to another run: its {field} is {given}, this run's is {expected}", run.display())]
    Other {
        run: PathBuf,
        field: &'static str,
        /// The value of the run.
        expected: String,
        /// The value of the network.
        given: String,
    },
    /// The cost of the bot in `net.init_from` is unknown.
    #[error("`net.init_from`: {bot}: {problem}")]
    Start {
        bot: String,
        /// Why it is unknown.
        problem: String,
    },
    /// A file of the record cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The record lacks the seconds of an iteration.
    #[error("{}:{line}: {problem}", path.display())]
    Record {
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
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

    #[test]
    fn the_seconds_of_an_iteration_are_its_own_and_none_may_be_missing() {
        let text = "iteration,time/iteration,time/cores\n1,2,3.5\n2,2,4\n3,2,\n5,2,1\n";
        assert_eq!(seconds(text, 2), Ok(7.5));
        let wrong = |text, iterations| {
            let (line, problem) = seconds(text, iterations).expect_err("refused");
            format!("{line}: {problem}")
        };
        assert!(
            wrong(text, 3).starts_with("4: expected seconds as `time/cores`; there are none where others")
        );
        assert!(wrong(text, 0).starts_with("1: expected a network that learned"));
        assert_eq!(wrong("iteration,time/cores\n2,1\n", 1), "2: expected the row of iteration 1");
        assert_eq!(wrong("iteration,time/cores\n", 1), "2: expected the row of iteration 1");
        assert!(wrong("iteration,time/iteration\n1,1\n", 1).starts_with("1: expected a column `time/cores`"));
    }
}
