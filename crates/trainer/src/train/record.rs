//! Which metrics a run has, and their values in an iteration.

use cardsharp_bot::run_record::METRICS_HASH as HASH;
use cardsharp_bot::run_record::metric::{self, Metric};

use crate::checkpoint::Files;
use crate::config::Config;
use crate::evaluate::Baselines;
use crate::metrics::{ColumnNames, Metrics};
use crate::rollout::RolloutStats;
use crate::state::StateError;

/// A metric with its value in an iteration; none if it has no value there.
type Value = (Metric, Option<f64>);

/// Returns the metrics of a rollout; `pool` is the number of snapshots.
pub(super) fn of_rollout(
    config: &Config,
    played: &RolloutStats,
    decisions: usize,
    pool: usize,
) -> Vec<Value> {
    let mean = |(sum, count): (f64, u64)| (count > 0).then(|| sum / count as f64);
    let mut all = vec![
        (metric::SESSIONS, Some(played.sessions as f64)),
        (metric::ROUNDS, Some(played.rounds as f64)),
        (metric::ROLLOUT_DECISIONS, Some(decisions as f64)),
        (metric::SCORE_PAST, mean(played.past)),
        (metric::SCORE_SCRIPTED, mean(played.scripted)),
        (metric::SNAPSHOTS, Some(pool as f64)),
    ];
    if config.algorithm().distills() {
        all.push((metric::TARGET_KL, mean(played.target_kl)));
    }
    if !config.league.opponent.is_empty() {
        all.push((metric::SCORE_OPPONENT, mean(played.opponent)));
    }
    all
}

/// What an iteration did and how long it took, in seconds.
#[derive(Default)]
pub(super) struct Times {
    /// Decisions of the learner.
    pub(super) decisions: f64,
    /// Decisions that the learner processed, all epochs counted.
    pub(super) samples: f64,
    pub(super) iteration: f64,
    pub(super) rollout: f64,
    pub(super) learn: f64,
    /// Network and loss, summed over threads.
    pub(super) network: f64,
    pub(super) optimizer: f64,
    pub(super) evaluate: f64,
    /// Time without evaluation, times threads; none if workers play.
    pub(super) cores: Option<f64>,
}

impl Times {
    /// Returns the metrics of `timing.csv`.
    pub(super) fn metrics(&self) -> Vec<Value> {
        let Self { decisions, samples, iteration, rollout, learn, network, optimizer, evaluate, cores } =
            *self;
        vec![
            (metric::DECISION_RATE, Some(decisions / iteration)),
            (metric::ROLLOUT_RATE, Some(decisions / rollout)),
            (metric::LEARNER_RATE, Some(samples / learn)),
            (metric::ITERATION_TIME, Some(iteration)),
            (metric::ROLLOUT_TIME, Some(rollout)),
            (metric::LEARN_TIME, Some(learn)),
            (metric::NETWORK_TIME, Some(network)),
            (metric::OPTIMIZER_TIME, Some(optimizer)),
            (metric::EVALUATE_TIME, Some(evaluate)),
            (metric::CORE_TIME, cores),
        ]
    }
}

/// Returns the values that there are, by name.
pub(super) fn figures(values: Vec<Value>) -> Vec<(String, f64)> {
    values.into_iter().filter_map(|(metric, value)| Some((metric.name.to_owned(), value?))).collect()
}

/// Returns the names of all metrics of a run.
pub(super) fn columns(config: &Config, baselines: &Baselines) -> ColumnNames {
    let names = |values: Vec<Value>| values.into_iter().map(|(metric, _)| metric.name.to_owned());
    let rollout = names(of_rollout(config, &RolloutStats::default(), 0, 0));
    let learned = config.algorithm().metrics(!config.net.critic.is_empty()).into_iter().map(str::to_owned);
    ColumnNames {
        metrics: rollout.chain(learned).chain(baselines.metrics()).collect(),
        timing: names(Times::default().metrics()).collect(),
    }
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
