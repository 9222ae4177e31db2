//! The metrics of an iteration.

use cardsharp_bot::run_record::METRICS_HASH as HASH;

use crate::checkpoint::Files;
use crate::config::Config;
use crate::evaluate::Baselines;
use crate::metrics::{Columns, Metrics};
use crate::rollout::Played;
use crate::state::StateError;

/// Columns of `metrics.csv`, without those of the algorithm and of evaluations.
const ROLLOUT: [&str; 6] = [
    "rollout/sessions",
    "rollout/rounds",
    "rollout/decisions",
    "rollout/score_past",
    "rollout/score_scripted",
    "league/snapshots",
];

/// Columns of `timing.csv`.
const TIMING: [&str; 9] = [
    "throughput/decisions_per_second",
    "throughput/rollout",
    "throughput/learner",
    "time/iteration",
    "time/rollout",
    "time/learn",
    "time/network",
    "time/optimizer",
    "time/evaluate",
];

/// The column of `timing.csv` for the cost of an iteration without its evaluation: seconds times threads. Empty where
/// workers play.
pub(super) const CORES: &str = "time/cores";

/// Columns of runs with a search bot, with distillation targets, or with an opponent.
const SEARCH: &str = "rollout/score_search";
const MOVED: &str = "rollout/moved";
const OPPONENT: &str = "rollout/score_opponent";

/// Returns the optional columns of a run.
fn besides(config: &Config) -> impl Iterator<Item = &'static str> {
    let search = config.league.search > 0.0;
    let moved = config.algorithm().teaching().is_some();
    let opponent = !config.league.opponent.is_empty();
    let all = [(SEARCH, search), (MOVED, moved), (OPPONENT, opponent)];
    all.into_iter().filter_map(|(name, has)| has.then_some(name))
}

/// Returns the names of all metrics of a run.
pub(super) fn columns(config: &Config, baselines: &Baselines) -> Columns {
    let metrics = config.algorithm().metrics(!config.net.critic.is_empty());
    let own = ROLLOUT.into_iter().chain(besides(config)).chain(metrics).map(str::to_owned);
    let timing = TIMING.into_iter().chain([CORES]).map(str::to_owned);
    Columns { metrics: own.chain(baselines.metrics()).collect(), timing: timing.collect() }
}

/// Returns the metrics of a rollout by name; `pool` is the number of snapshots.
pub(super) fn of_rollout(
    config: &Config,
    played: &Played,
    decisions: usize,
    pool: usize,
) -> Vec<(String, f64)> {
    let mean = |(sum, count): (f64, u64)| (count > 0).then(|| sum / count as f64);
    let figures = [
        Some(played.sessions as f64),
        Some(played.rounds as f64),
        Some(decisions as f64),
        mean(played.past),
        mean(played.scripted),
        Some(pool as f64),
    ];
    let of = |name: &'static str| match name {
        SEARCH => (name, mean(played.search)),
        MOVED => (name, mean(played.moved)),
        _ => (name, mean(played.opponent)),
    };
    let all = ROLLOUT.into_iter().zip(figures).chain(besides(config).map(of));
    all.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// Names the timings, which are in the order of the columns.
pub(super) fn of_clock(figures: [f64; TIMING.len()]) -> impl Iterator<Item = (String, f64)> {
    TIMING.into_iter().map(str::to_owned).zip(figures)
}

/// Adds the hash of the record so far to the files of a checkpoint.
pub(super) fn add_hash(metrics: &Metrics, files: &mut Files) {
    files.insert(HASH.to_owned(), (metrics.hash() + "\n").into_bytes());
}

/// Removes the hash of the record from the files of a checkpoint and returns it.
pub(super) fn hash_from(files: &mut Files) -> Result<String, StateError> {
    let bytes = files.remove(HASH).ok_or_else(|| StateError::Missing { file: HASH.to_owned() })?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

/// Returns the configuration as Markdown.
pub(super) fn described(config: &Config) -> String {
    match config.toml() {
        Ok(text) => format!("```toml\n{text}```\n"),
        Err(error) => format!("the configuration has no TOML form: {error}"),
    }
}
