//! The part of a run's configuration that a page shows.
//!
//! A run stores its configuration with every field, so that a page does not need the trainer's defaults.

use std::collections::BTreeMap;

use cardsharp_document::leaves;
use serde::Deserialize;
use serde_json::Value;

use super::error::ReportError;

/// The configuration of a run.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    pub(super) game: String,
    /// The seed of all randomness.
    pub(super) seed: u64,
    /// Iterations of the whole run.
    pub(super) iterations: u64,
    /// The shape of the network.
    pub(super) net: Shape,
    /// How strength was measured.
    pub(super) evaluate: Measuring,
    /// Every setting by its path, as JSON.
    #[serde(skip)]
    pub(super) settings: BTreeMap<String, String>,
}

/// The shape of the network.
#[derive(Debug, Deserialize)]
pub(super) struct Shape {
    /// Widths of the hidden layers.
    pub(super) hidden: Vec<usize>,
}

/// How strength was measured.
#[derive(Copy, Clone, Debug, Deserialize)]
pub(super) struct Measuring {
    /// Iterations between two measurements.
    pub(super) every: u64,
    /// Deals of each measurement.
    pub(super) deals: u64,
    /// Deals of the final measurement.
    pub(super) final_deals: u64,
}

impl Asked {
    /// Parses the text of a file; messages call it `name`.
    pub(super) fn parse(name: &str, text: &str) -> Result<Self, ReportError> {
        let refuse = |error: toml::de::Error| {
            let line = error.span().map(|at| text[..at.start].matches('\n').count() + 1);
            let place = line.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}"));
            ReportError::Config { path: place, problem: error.message().replace('\n', "; ") }
        };
        let asked: Self = toml::from_str(text).map_err(refuse)?;
        Ok(Self { settings: settings(text).map_err(refuse)?, ..asked })
    }
}

/// Returns every setting in the text of a configuration: its path, and its value as JSON.
pub(super) fn settings(text: &str) -> Result<BTreeMap<String, String>, toml::de::Error> {
    let value: Value = toml::from_str(text)?;
    let mut all = Vec::new();
    leaves("", &value, &mut all);
    Ok(all.into_iter().collect())
}
