//! The format of sweep files.

use std::collections::BTreeMap;

use cardsharp_env::seed::check;
use schemars::JsonSchema;
use schemars::generate::Contract;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::field::FieldValues;
use super::plan::{Better, Method, StopRule};

/// A sweep: many runs with many settings, and several seeds for each setting. A setting is one value for each swept
/// field.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepFile {
    /// Path of the configuration that all runs start from, relative to this file.
    pub config: String,
    /// How settings are chosen.
    #[serde(default)]
    pub method: Method,
    /// Number of settings, 1 to 10000. Required with `method = "random"` and `method = "suggested"`. Not allowed with
    /// `method = "grid"`, which tries every combination.
    #[serde(default)]
    pub trials: Option<usize>,
    /// Number of settings that are suggested together, 1 to 1000. The first batch is random; each later batch uses the
    /// results of all earlier settings. Only `method = "suggested"` uses this field.
    #[serde(default = "batch")]
    pub batch: usize,
    /// Seeds of each setting: their number, or a list. Each setting has one run for each seed.
    #[serde(default)]
    pub seeds: SeedSpec,
    /// Seed of the sweep's own randomness, 0 to 9007199254740991 (2^53 - 1). It determines the random and suggested
    /// settings, and the deals of the second evaluation of the best setting.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Metric that compares settings, a column of `metrics.csv`. If it is missing, the place score against the first of
    /// `evaluate.opponents`.
    #[serde(default)]
    pub figure: String,
    /// Whether higher or lower values of the metric are better.
    #[serde(default)]
    pub better: Better,
    /// When a setting is stopped early.
    #[serde(default)]
    pub stop: StopRule,
    /// Changes to the configuration for all runs, as with `--set`.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
    /// The swept fields, by their paths in the configuration. Each has a list of values, or a range.
    pub fields: BTreeMap<String, Swept>,
}

/// A swept field, or a section with swept fields.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Swept {
    /// The values of a field.
    Values(FieldValues),
    /// The fields of a section.
    Section(BTreeMap<String, Swept>),
}

/// The seeds of each setting: their number, or a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SeedSpec {
    /// Number of seeds, 1 to 1000. The seeds are then 1, 2, 3 and so on.
    Count(u64),
    /// The seeds: 1 to 1000 different numbers from 0 to 9007199254740991 (2^53 - 1).
    List(Vec<u64>),
}

impl Default for SeedSpec {
    fn default() -> Self {
        Self::Count(3)
    }
}

impl SeedSpec {
    /// Returns the seeds if there are 1 to [`MOST_SEEDS`] of them, each valid and different.
    pub(super) fn listed(self) -> Option<Vec<u64>> {
        let seeds = match self {
            Self::Count(count) => (1..=count.min(MOST_SEEDS + 1)).collect(),
            Self::List(list) => list,
        };
        let once = seeds.iter().enumerate().all(|(at, seed)| !seeds[..at].contains(seed));
        let few = (1..=MOST_SEEDS).contains(&(seeds.len() as u64));
        let right = seeds.iter().all(|seed| check(*seed).is_ok());
        (once && few && right).then_some(seeds)
    }
}

/// Maximum number of seeds of a setting.
const MOST_SEEDS: u64 = 1000;

/// Default of `batch`; [`seed`] is the default of `seed`.
pub(super) const fn batch() -> usize {
    8
}

pub(super) const fn seed() -> u64 {
    1
}

impl SweepFile {
    pub(super) const FIELDS: [&str; 11] =
        ["config", "method", "trials", "batch", "seeds", "seed", "figure", "better", "stop", "set", "fields"];

    /// Returns a JSON schema of sweep files, for editors.
    pub fn schema() -> Value {
        cardsharp_env::document::<Self>("A sweep: many runs over many settings", Contract::Deserialize)
    }
}
