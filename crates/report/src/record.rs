//! The files of a run: its metrics (`metrics.csv`), times (`timing.csv`) and configuration (`config.toml`).

use std::collections::BTreeMap;

use cardsharp_bot::arena::Interval;
use cardsharp_document::leaves;
use cardsharp_text::escape::quoted;
use serde::Deserialize;
use serde_json::Value;

use crate::error::ReportError;

/// The metrics of a run. The default is that of a run without any output.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Record {
    /// Names of the figures.
    columns: Vec<String>,
    /// All iterations, from 1.
    rows: Vec<Row>,
}

/// The metrics of one iteration.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    /// Decisions of the learner since the run began.
    decisions: f64,
    /// The value of each column; `None` if the iteration has none.
    figures: Vec<Option<f64>>,
}

/// The strength of the learner against one opponent, during a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strength {
    pub(crate) opponent: String,
    pub(crate) points: Vec<Measured>,
}

/// One measurement of a run's strength.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) iteration: u64,
    pub(crate) decisions: f64,
    pub(crate) score: Interval,
    /// Share of first places.
    pub(crate) first: f64,
}

impl Record {
    /// Parses the text of a file; messages call it `name`. A last line without its end is still being written, and
    /// ignored.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, ReportError> {
        let refuse =
            |line: usize, problem: String| ReportError::Record { path: name.to_owned(), line, problem };
        let mut lines = text.split_inclusive('\n').map_while(|line| line.strip_suffix('\n')).enumerate();
        let header = lines.next().map_or("", |(_, line)| line.trim_end_matches('\r'));
        let mut names = header.split(',');
        if (names.next(), names.next()) != (Some("iteration"), Some("decisions")) {
            let problem = "expected the columns `iteration,decisions` of a run's metrics first";
            return Err(refuse(1, problem.to_owned()));
        }
        let columns: Vec<String> = names.map(str::to_owned).collect();
        let mut rows = Vec::new();
        for (i, line) in lines {
            let line = line.trim_end_matches('\r');
            let number = |cell: &str| match cell.parse::<f64>() {
                Ok(value) if value.abs() < 1e15 => Ok(value),
                _ => Err(refuse(i + 1, format!("`{}` is not a number that can be plotted", quoted(cell)))),
            };
            let mut cells = line.split(',');
            let iteration = cells.next().unwrap_or_default();
            if iteration != i.to_string() {
                let found = quoted(iteration);
                return Err(refuse(i + 1, format!("expected the row of iteration {i}, found `{found}`")));
            }
            let decisions = number(cells.next().unwrap_or_default())?;
            let figure = |cell: &str| if cell.is_empty() { Ok(None) } else { number(cell).map(Some) };
            let figures = cells.map(figure).collect::<Result<Vec<_>, _>>()?;
            if figures.len() != columns.len() {
                let (found, expected) = (figures.len() + 2, columns.len() + 2);
                return Err(refuse(
                    i + 1,
                    format!("{found} cells, expected {expected} as in the first line"),
                ));
            }
            rows.push(Row { decisions, figures });
        }
        Ok(Self { columns, rows })
    }

    pub(crate) fn iterations(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Returns the number of decisions of the learner.
    pub(crate) fn decisions(&self) -> u64 {
        self.rows.last().map_or(0, |row| row.decisions as u64)
    }

    /// Returns the number of decisions up to each iteration.
    pub(crate) fn steps(&self) -> Vec<f64> {
        self.rows.iter().map(|row| row.decisions).collect()
    }

    /// Returns the values of a column, each with the decisions so far.
    pub(crate) fn figures(&self, column: &str) -> Vec<(f64, f64)> {
        let Some(column) = self.columns.iter().position(|name| name == column) else { return Vec::new() };
        self.rows.iter().filter_map(|row| Some((row.decisions, row.figures[column]?))).collect()
    }

    /// Returns the strength against each measured opponent, in the order of the columns.
    pub(crate) fn strengths(&self) -> Vec<Strength> {
        let opponents = self.columns.iter().filter_map(|name| {
            let opponent = name.strip_prefix("arena/")?.strip_suffix("/place_score")?;
            let column = |figure: &str| {
                let name = format!("arena/{opponent}/{figure}");
                self.columns.iter().position(|column| *column == name)
            };
            let [score, low, high, first] = [
                column("place_score")?,
                column("place_score_low")?,
                column("place_score_high")?,
                column("first_rate")?,
            ];
            let measured = |(i, row): (usize, &Row)| {
                let figures = &row.figures;
                Some(Measured {
                    iteration: i as u64 + 1,
                    decisions: row.decisions,
                    score: Interval { mean: figures[score]?, low: figures[low]?, high: figures[high]? },
                    first: figures[first]?,
                })
            };
            let points = self.rows.iter().enumerate().filter_map(measured).collect();
            Some(Strength { opponent: opponent.to_owned(), points })
        });
        opponents.filter(|strength| !strength.points.is_empty()).collect()
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
    let mut lines = text.split_inclusive('\n').map_while(|line| line.strip_suffix('\n'));
    let names: Vec<&str> = lines.next()?.split(',').collect();
    let column = |name: &str| names.iter().position(|column| *column == name);
    let at = [
        column("iteration")?,
        column("throughput/decisions_per_second")?,
        column("time/iteration")?,
        column("time/evaluate")?,
    ];
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let figure = |at: usize| {
            let figure = cells.get(at)?.parse::<f64>().ok()?;
            (figure.is_finite() && figure >= 0.0).then_some(figure)
        };
        let [iteration, rate, seconds, measuring] = at.map(figure);
        Some(IterationTime {
            iteration: iteration? as u64,
            rate: rate?,
            seconds: seconds?,
            measuring: measuring?.min(seconds?),
        })
    };
    Some(lines.filter_map(row).collect())
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
