//! What an iteration puts on record.

use crate::config::Config;
use crate::evaluate::Baselines;
use crate::metrics::Columns;
use crate::rollout::Played;

/// Columns of `metrics.csv` besides those of the algorithm and the arena.
const ROLLOUT: [&str; 6] = [
    "rollout/sessions",
    "rollout/rounds",
    "rollout/decisions",
    "rollout/score_past",
    "rollout/score_scripted",
    "league/snapshots",
];

/// Columns of `timing.csv`.
const TIMING: [&str; 10] = [
    "throughput/decisions_per_second",
    "throughput/rollout",
    "throughput/learner",
    "time/iteration",
    "time/rollout",
    "time/learn",
    "time/gather",
    "time/network",
    "time/optimizer",
    "time/evaluate",
];

/// The column that runs against an opponent have besides.
const OPPONENT: &str = "rollout/score_opponent";

/// The names of everything a run reports.
pub(super) fn columns(config: &Config, baselines: &Baselines) -> Columns {
    let metrics = config.algorithm().metrics(!config.net.critic.is_empty());
    let opponent = (!config.league.opponent.is_empty()).then_some(OPPONENT);
    let own = ROLLOUT.into_iter().chain(opponent).chain(metrics).map(str::to_owned);
    let timing = TIMING.into_iter().map(str::to_owned);
    Columns { metrics: own.chain(baselines.metrics()).collect(), timing: timing.collect() }
}

/// The figures of a rollout by name; `pool` is the number of past selves.
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
    let opponent = (!config.league.opponent.is_empty()).then_some((OPPONENT, mean(played.opponent)));
    let all = ROLLOUT.into_iter().zip(figures).chain(opponent);
    all.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// What the clock says by name, in the order of the columns.
pub(super) fn of_clock(figures: [f64; TIMING.len()]) -> impl Iterator<Item = (String, f64)> {
    TIMING.into_iter().map(str::to_owned).zip(figures)
}

/// The configuration as Markdown.
pub(super) fn described(config: &Config) -> String {
    match config.toml() {
        Ok(text) => format!("```toml\n{text}```\n"),
        Err(error) => format!("the configuration has no TOML form: {error}"),
    }
}
