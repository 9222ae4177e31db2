//! The training cost of a bundle's network.

use schemars::JsonSchema;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

/// The file in a bundle.
pub const FILE: &str = "cost.json";

/// What training cost. It depends on the clock, so that a bundle has it only where it was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Seconds of playing and learning times the cores that they were given, measuring left out.
    #[serde(deserialize_with = "positive")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub core_seconds: f64,
    /// The processor that the cores were of, in words.
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
