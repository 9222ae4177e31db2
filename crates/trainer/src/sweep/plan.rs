//! The plan of a sweep, read from TOML. Errors name the place of the mistake.

mod reader;

use cardsharp_env::Games;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::field::{Field, toml_of};
use crate::config::{Config, ConfigError};

/// How settings are chosen.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Every combination of the values.
    #[default]
    Grid,
    /// Random combinations, drawn uniformly.
    Random,
    /// Suggestions from the results of earlier settings, by tree-structured Parzen estimators (TPE).
    Suggested,
}

/// Whether higher or lower values of the metric are better.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Higher values are better.
    #[default]
    Higher,
    /// Lower values are better.
    Lower,
}

/// A run: the indexes of a setting and of a seed, both from 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunIndex {
    /// Index of the setting.
    pub setting: usize,
    /// Index in the seeds of the plan.
    pub seed: usize,
}

/// The rule that stops a setting early.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// A setting stops if its best mean over seeds so far is worse than a median. That is the median of the average
    /// means up to the same iteration, over settings with lower numbers.
    #[default]
    Median,
    /// No setting is stopped early.
    None,
}

/// When a setting is stopped early.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StopRule {
    /// The rule that stops runs early.
    pub rule: Rule,
    /// Number of settings with lower numbers that must be measured at the same iteration before the rule applies, 1 to
    /// 10000.
    pub after: usize,
    /// First iteration at which the rule applies, at least 0.
    pub from: u64,
}

impl Default for StopRule {
    fn default() -> Self {
        Self { rule: Rule::Median, after: 4, from: 0 }
    }
}

/// The values of the swept fields, in the order of [`SweepPlan::fields`].
pub type Setting = Vec<Value>;

/// A sweep: its settings, its seeds and how settings are compared.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    /// The name of its file without the extension.
    pub name: String,
    /// Where settings come from.
    pub method: Method,
    /// Number of settings to try.
    pub trials: usize,
    /// Number of settings in a batch of suggestions.
    pub batch: usize,
    /// The seeds of every setting.
    pub seeds: Vec<u64>,
    /// Seed of the sweep's own randomness.
    pub seed: u64,
    /// The metric that settings are compared by, a column of `metrics.csv`.
    pub figure: String,
    /// Which figures are better.
    pub better: Better,
    /// When a setting is given up.
    pub stop: StopRule,
    /// The fields that settings change.
    pub fields: Vec<Field>,
    /// The configuration that all settings change.
    pub config: Config,
    /// The file of that configuration, and the overrides for all runs.
    base: Base,
}

/// The text of a configuration file, and the overrides for all runs.
#[derive(Clone, Debug)]
struct Base {
    games: Games,
    name: String,
    text: String,
    overrides: Vec<String>,
}

impl Base {
    fn config(&self, more: impl IntoIterator<Item = String>) -> Result<Config, ConfigError> {
        let overrides: Vec<String> = self.overrides.iter().cloned().chain(more).collect();
        Config::parse_among(&self.games, &self.name, &self.text, &overrides)
    }
}

impl SweepPlan {
    /// Returns the configuration of a run.
    ///
    /// # Errors
    /// The values form an invalid configuration.
    pub fn config_of(&self, setting: &[Value], seed: u64) -> Result<Config, ConfigError> {
        self.base.config(changes(&self.fields, setting).chain([format!("seed={seed}")]))
    }

    /// Formats a setting as `--set` takes it, with commas between the fields.
    pub fn describe(&self, setting: &[Value]) -> String {
        changes(&self.fields, setting).collect::<Vec<_>>().join(", ")
    }

    /// Returns a score of a measured value: higher is better.
    pub fn score(&self, figure: f64) -> f64 {
        match self.better {
            Better::Higher => figure,
            Better::Lower => -figure,
        }
    }

    /// Returns everything that influences the results of the sweep.
    pub(super) fn described(&self) -> Value {
        // No result depends on `threads`, and every run has its own seed.
        let config = Config { threads: 0, seed: 0, ..self.config.clone() };
        let mut described = json!({
            "method": self.method, "trials": self.trials, "seeds": self.seeds, "seed": self.seed, "figure": self.figure,
            "better": self.better, "stop": self.stop, "fields": self.fields, "config": config.json(),
        });
        if self.method == Method::Suggested {
            described["batch"] = json!(self.batch);
        }
        described
    }
}

/// Formats each value of a setting as `--set` takes it.
fn changes(fields: &[Field], setting: &[Value]) -> impl Iterator<Item = String> {
    fields.iter().zip(setting).map(|(field, value)| format!("{}={}", field.field, toml_of(value)))
}
