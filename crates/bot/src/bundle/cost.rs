//! The training cost of a bundle's network.

use schemars::JsonSchema;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

/// The file in a bundle.
pub const FILE: &str = "cost.json";

/// Cost of training. A bundle has it only on request, because it depends on the clock and so is not deterministic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Core-seconds of training: the seconds of rollouts and updates times the number of threads. Evaluations do not
    /// count. If another bot supplied the initial weights, its cost is included.
    #[serde(deserialize_with = "positive")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub core_seconds: f64,
    /// Name of the processor, as the user wrote it; missing if they named none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
}

impl Cost {
    /// Returns the core hours.
    pub fn core_hours(&self) -> f64 {
        self.core_seconds / 3600.0
    }
}

fn positive<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let given = f64::deserialize(from)?;
    match given > 0.0 && given.is_finite() {
        true => Ok(given),
        false => Err(D::Error::invalid_value(Unexpected::Float(given), &"a number above 0")),
    }
}
