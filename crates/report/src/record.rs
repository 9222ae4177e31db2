//! The files of a run: its metrics (`metrics.csv`), times (`timing.csv`) and configuration (`config.toml`).

use std::collections::BTreeMap;

use cardsharp_bot::run_record::metric::{self, DECISIONS, ITERATION};
use cardsharp_bot::run_record::{Metric, MetricsTable, TableError};
use cardsharp_document::leaves;
use cardsharp_text::escape::quoted;
use serde::Deserialize;
use serde_json::Value;

use crate::error::ReportError;

pub(crate) use cardsharp_bot::run_record::{Measured, Strength};

/// The metrics of a run. The default is that of a run without any output.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Record(MetricsTable);

impl Record {
    /// Parses the text of a file; messages call it `name`. A last line without its end is still being written, and
    /// ignored.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, ReportError> {
        let refuse = |line, problem| ReportError::Record { path: name.to_owned(), line, problem };
        let no_header =
            || refuse(1, format!("expected the columns `{ITERATION},{DECISIONS}` of a run's metrics first"));
        match MetricsTable::parse(text) {
            Ok(table) if table.column(DECISIONS) == Some(0) => Ok(Self(table)),
            Ok(_) | Err(TableError { line: 1, .. }) => Err(no_header()),
            Err(TableError { line, problem }) => Err(refuse(line, quoted(&problem))),
        }
    }

    pub(crate) fn iterations(&self) -> u64 {
        self.0.rows().len() as u64
    }

    /// Returns the number of decisions of the learner.
    pub(crate) fn decisions(&self) -> u64 {
        self.steps().last().map_or(0, |decisions| *decisions as u64)
    }

    /// Returns the number of decisions up to each iteration.
    pub(crate) fn steps(&self) -> Vec<f64> {
        self.0.rows().iter().map(|row| row.get(0).unwrap_or_default()).collect()
    }

    /// Returns the values of a metric, each with the decisions so far.
    pub(crate) fn figures(&self, metric: Metric) -> Vec<(f64, f64)> {
        let Some(column) = self.0.column(metric.name) else { return Vec::new() };
        self.0.rows().iter().filter_map(|row| Some((row.get(0)?, row.get(column)?))).collect()
    }

    /// Returns the strength against each measured opponent, in the order of the columns.
    pub(crate) fn strengths(&self) -> Vec<Strength> {
        self.0.strengths()
    }
}

/// Reduces a curve to at most `most` points: means of groups of neighbors. Returns the size of the groups, too.
pub(crate) fn thinned(points: &[(f64, f64)], most: usize) -> (Vec<(f64, f64)>, usize) {
    let length = points.len().div_ceil(most).max(1);
    let mean = |run: &[(f64, f64)]| {
        let (x, y) = run.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
        (x / run.len() as f64, y / run.len() as f64)
    };
    (points.chunks(length).map(mean).collect(), length)
}

/// The times of one iteration, from `timing.csv`.
pub(crate) struct IterationTime {
    /// The number of the iteration, from 1.
    pub(crate) iteration: u64,
    pub(crate) rate: f64,
    /// Seconds of the whole iteration, and of its measurement.
    pub(crate) seconds: f64,
    pub(crate) measuring: f64,
}

/// Returns the complete rows of `timing.csv`. Nothing depends on this file, so damaged rows are skipped.
pub(crate) fn times(text: &str) -> Option<Vec<IterationTime>> {
    let table = MetricsTable::parse_lenient(text).ok()?;
    let columns = [metric::DECISION_RATE, metric::ITERATION_TIME, metric::EVALUATE_TIME];
    let [rate, seconds, measuring] = columns.map(|metric| table.column(metric.name));
    let columns = [rate?, seconds?, measuring?];
    let times = table.rows().iter().filter_map(|row| {
        let figure = |column| row.get(column).filter(|figure| figure.is_finite() && *figure >= 0.0);
        let [rate, seconds, measuring] = columns.map(figure);
        Some(IterationTime {
            iteration: row.iteration,
            rate: rate?,
            seconds: seconds?,
            measuring: measuring?.min(seconds?),
        })
    });
    Some(times.collect())
}

/// The part of a run's configuration that a page shows. A run stores its configuration with every field, so that a page
/// does not need the trainer's defaults.
#[derive(Debug, Deserialize)]
pub(crate) struct RunConfig {
    pub(crate) game: String,
    /// The seed of all randomness.
    pub(crate) seed: u64,
    /// Iterations of the whole run.
    pub(crate) iterations: u64,
    /// The shape of the network.
    pub(crate) net: NetShape,
    /// How strength was measured.
    pub(crate) evaluate: MeasurementPlan,
    /// Every setting by its path, as JSON.
    #[serde(skip)]
    pub(crate) settings: BTreeMap<String, String>,
}

/// The shape of the network.
#[derive(Debug, Deserialize)]
pub(crate) struct NetShape {
    /// Widths of the hidden layers.
    pub(crate) hidden: Vec<usize>,
}

/// How strength was measured.
#[derive(Copy, Clone, Debug, Deserialize)]
pub(crate) struct MeasurementPlan {
    /// Iterations between two measurements.
    pub(crate) every: u64,
    /// Deals of each measurement.
    pub(crate) deals: u64,
    /// Deals of the final measurement.
    pub(crate) final_deals: u64,
}

impl RunConfig {
    /// Parses the text of a file; messages call it `name`.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, ReportError> {
        let refuse = |error: toml::de::Error| {
            let line = error.span().map(|at| text[..at.start].matches('\n').count() + 1);
            let place = line.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}"));
            ReportError::Config { path: place, problem: error.message().replace('\n', "; ") }
        };
        let config: Self = toml::from_str(text).map_err(refuse)?;
        Ok(Self { settings: settings(text).map_err(refuse)?, ..config })
    }
}

/// Returns every setting in the text of a configuration: its path, and its value as JSON.
pub(crate) fn settings(text: &str) -> Result<BTreeMap<String, String>, toml::de::Error> {
    let value: Value = toml::from_str(text)?;
    let mut all = Vec::new();
    leaves("", &value, &mut all);
    Ok(all.into_iter().collect())
}
