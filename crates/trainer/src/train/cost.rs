//! The training cost of a network.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cardsharp_bot::bots::any_network;
use cardsharp_bot::bundle::{Cost, Extras};
use cardsharp_bot::file::{Header, START};
use cardsharp_bot::run_record::RunRecord;
use cardsharp_env::Games;
use serde_json::{Value, json};

use super::record::CORES;
use crate::metrics::TIMING;
use crate::run_folder::{RunError, RunFolder};

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
    let told = |field: &'static str, expected: String, given: String| match expected == given {
        true => Ok(()),
        false => Err(CostError::Other { run: run.to_owned(), field, expected, given }),
    };
    told("game", config.game, header.game.clone())?;
    told("seed", json!(config.seed).to_string(), header.training["seed"].to_string())?;
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|source| CostError::Io { path: path.to_owned(), source })
    };
    let iterations = header.training["iterations"].as_u64().unwrap_or_default();
    let record = RunRecord::read(run).map_err(RunError::from)?.text;
    let begins = format!("{iterations},");
    let row = record.lines().skip(1).find_map(|row| row.strip_prefix(&begins));
    let decisions = row.and_then(|row| row.split(',').next()).unwrap_or("not on record");
    told("number of decisions", decisions.to_owned(), header.training["decisions"].to_string())?;
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
    match Extras::of(Path::new(bot)).map_err(|error| start(error.to_string()))?.cost {
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
    let mut lines = text.lines();
    let names = lines.next().unwrap_or_default();
    let Some(column) = names.split(',').position(|name| name == CORES) else {
        return Err((1, format!("expected a column `{CORES}`, which runs of this version have")));
    };
    if iterations == 0 {
        return Err((1, "expected a network that learned in one iteration at least".to_owned()));
    }
    let row = |iteration: u64| {
        let wrong = |problem: String| (iteration + 1, problem);
        let cells: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        if cells[0] != iteration.to_string() {
            return Err(wrong(format!("expected the row of iteration {iteration}")));
        }
        match cells.get(column).map(|cell| cell.parse::<f64>()) {
            Some(Ok(seconds)) if seconds.is_finite() && seconds > 0.0 => Ok(seconds),
            _ => Err(wrong(format!(
                "expected seconds as `{CORES}`; there are none where others played, on machines of their own"
            ))),
        }
    };
    (1..=iterations).map(row).sum()
}

/// Why the cost of a network is unknown.
#[derive(Debug, thiserror::Error)]
pub enum CostError {
    /// The folder contains no run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The network is from another run.
    #[error("{}: the network belongs to another run: its {field} is {given}, this run's is {expected}", run.display())]
    Other {
        /// The run.
        run: PathBuf,
        /// What differs.
        field: &'static str,
        /// The value of the run.
        expected: String,
        /// The value of the network.
        given: String,
    },
    /// The cost of the bot in `net.init_from` is unknown.
    #[error("`net.init_from`: {bot}: {problem}")]
    Start {
        /// The bot.
        bot: String,
        /// Why it is unknown.
        problem: String,
    },
    /// A file of the record cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The record lacks the seconds of an iteration.
    #[error("{}:{line}: {problem}", path.display())]
    Record {
        /// The file.
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
