//! The format of sweep files.

use std::collections::BTreeMap;

use cardsharp_env::seed::check;
use schemars::JsonSchema;
use schemars::generate::Contract;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::field::Values;
use super::plan::{Better, Method, Stop};

/// A sweep: many runs over many settings, several seeds each.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepFile {
    /// The configuration that all runs begin from, a path relative to this file.
    pub config: String,
    /// Where settings come from.
    #[serde(default)]
    pub method: Method,
    /// How many settings there are, 1 to 10000; of a grid as many as it has.
    #[serde(default)]
    pub trials: Option<usize>,
    /// Settings that are suggested at a time, by what came of all before them, 1 to 1000; the first so many are drawn. Of `suggested`
    /// only.
    #[serde(default = "batch")]
    pub batch: usize,
    /// The seeds of every setting.
    #[serde(default)]
    pub seeds: Seeds,
    /// Where the chance of the sweep itself comes from, 0 to 9007199254740991 (2^53 - 1): which settings are
    /// drawn and suggested, and on which deals the best one is measured once more.
    #[serde(default = "seed")]
    pub seed: u64,
    /// The figure that settings are compared by, a column of `metrics.csv`. Left out: the place score against the first of
    /// `evaluate.opponents`.
    #[serde(default)]
    pub figure: String,
    /// Which figures are better.
    #[serde(default)]
    pub better: Better,
    /// When a setting is given up.
    #[serde(default)]
    pub stop: Stop,
    /// Fields of the configuration that all runs have changed, as with `--set`.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
    /// The fields that are swept, by their paths in the configuration: a list of values, or a range.
    pub fields: BTreeMap<String, Swept>,
}

/// A field that is swept, or a section with such fields.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Swept {
    /// What the field may be.
    Values(Values),
    /// Fields of a section.
    Section(BTreeMap<String, Swept>),
}

/// The seeds of every setting: so many from 1, or a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Seeds {
    /// So many, from 1: 1 to 1000.
    Count(u64),
    /// These, each once.
    List(Vec<u64>),
}

impl Default for Seeds {
    fn default() -> Self {
        Self::Count(3)
    }
}

impl Seeds {
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
