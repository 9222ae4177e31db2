//! A finished sweep for a page: its results, and the runs of its best settings.

use std::path::Path;

use cardsharp_bot::arena::Interval;
use cardsharp_bot::seal;
use serde::Deserialize;
use serde_json::Value;

use super::error::{METRICS, ReportError};
use super::source::{Seeds, of_seeds};
use crate::input::{LARGE, read_text};

/// The file with the results in a sweep folder.
pub(super) const RESULTS: &str = "results.json";
/// The file that describes the sweep in its folder.
const PLAN: &str = "sweep.toml";
/// Maximum number of settings whose curves are drawn: the number of colors.
const CURVES: usize = super::plot::COLOURS;

pub(crate) struct Swept {
    /// The name of the folder, as typed.
    pub(super) name: String,
    pub(super) found: Found,
    /// The runs of the best settings, in the same order.
    pub(super) curves: Vec<Seeds>,
    /// Number of runs of all settings that have started.
    pub(super) runs: usize,
}

/// The results of a sweep, the best setting first.
#[derive(Debug, Deserialize)]
pub(super) struct Found {
    pub(super) game: String,
    pub(super) figure: String,
    pub(super) better: String,
    pub(super) seeds: Vec<u64>,
    pub(super) fields: Vec<String>,
    pub(super) settings: Vec<Row>,
    pub(super) again: Option<Again>,
}

/// The result of a setting.
#[derive(Debug, Deserialize)]
pub(super) struct Row {
    pub(super) setting: usize,
    pub(super) folder: String,
    pub(super) values: Vec<Value>,
    pub(super) end: String,
    pub(super) reason: Option<String>,
    pub(super) iteration: Option<u64>,
    pub(super) mean: Option<f64>,
    pub(super) interval: Option<Interval>,
}

/// The best setting, measured once more.
#[derive(Debug, Deserialize)]
pub(super) struct Again {
    pub(super) setting: usize,
    pub(super) deals: u64,
    pub(super) mean: Option<f64>,
    pub(super) interval: Option<Interval>,
}

/// Reads the sweep in a folder; `None` if it is not a sweep folder.
pub(super) fn read(path: &Path) -> Result<Option<Swept>, ReportError> {
    let results = path.join(RESULTS);
    if !path.join(PLAN).is_file() {
        return Ok(None);
    }
    if !results.is_file() {
        return Err(ReportError::NoSweep { path: path.to_owned() });
    }
    let refuse = |problem: String| ReportError::Results { path: results.clone(), problem };
    let json: Value =
        serde_json::from_str(&read_text(&results, LARGE)?).map_err(|error| refuse(error.to_string()))?;
    if let Some(problem) = seal::json_broken(&json) {
        return Err(refuse(problem));
    }
    let found = Found::deserialize(json).map_err(|error| refuse(error.to_string()))?;
    let is_name = |row: &Row| Path::new(&row.folder).components().count() == 1 && !row.folder.contains("..");
    if let Some(row) =
        found.settings.iter().find(|row| row.values.len() != found.fields.len() || !is_name(row))
    {
        return Err(refuse(format!("setting {} has no folder of the sweep, or other fields", row.setting)));
    }
    let drawn = found.settings.iter().filter(|row| row.mean.is_some()).take(CURVES);
    let curves = drawn.map(|row| {
        let folder = path.join(&row.folder);
        Ok(Seeds { name: row.setting.to_string(), runs: of_seeds(&folder)? })
    });
    let curves = curves.collect::<Result<Vec<_>, ReportError>>()?;
    let begun = |row: &Row| {
        let records =
            found.seeds.iter().map(|seed| path.join(&row.folder).join(format!("seed-{seed}")).join(METRICS));
        records.filter(|record| record.is_file()).count()
    };
    let runs = found.settings.iter().map(begun).sum();
    Ok(Some(Swept { name: path.display().to_string(), found, curves, runs }))
}
