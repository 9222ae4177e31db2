//! `metrics.csv`: the figures of a run, iteration by iteration.

use super::error::ReportError;
use crate::shown::quoted;

/// The metrics of a run. The default is that of a run without any output.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Record {
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
pub(super) struct Strength {
    pub(super) opponent: String,
    pub(super) points: Vec<Measured>,
}

/// One measurement of a run's strength.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) iteration: u64,
    pub(super) decisions: f64,
    pub(super) score: cardsharp_bot::arena::Interval,
    /// Share of first places.
    pub(super) first: f64,
}

impl Record {
    /// Parses the text of a file; messages call it `name`. A last line without its end is still being written, and
    /// ignored.
    pub(super) fn parse(name: &str, text: &str) -> Result<Self, ReportError> {
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

    pub(super) fn iterations(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Returns the number of decisions of the learner.
    pub(super) fn decisions(&self) -> u64 {
        self.rows.last().map_or(0, |row| row.decisions as u64)
    }

    /// Returns the number of decisions up to each iteration.
    pub(super) fn steps(&self) -> Vec<f64> {
        self.rows.iter().map(|row| row.decisions).collect()
    }

    /// Returns the values of a column, each with the decisions so far.
    pub(super) fn figures(&self, column: &str) -> Vec<(f64, f64)> {
        let Some(column) = self.columns.iter().position(|name| name == column) else { return Vec::new() };
        self.rows.iter().filter_map(|row| Some((row.decisions, row.figures[column]?))).collect()
    }

    /// Returns the strength against each measured opponent, in the order of the columns.
    pub(super) fn strengths(&self) -> Vec<Strength> {
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
                    score: cardsharp_bot::arena::Interval {
                        mean: figures[score]?,
                        low: figures[low]?,
                        high: figures[high]?,
                    },
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
pub(super) fn thinned(points: &[(f64, f64)], most: usize) -> (Vec<(f64, f64)>, usize) {
    let length = points.len().div_ceil(most).max(1);
    let mean = |run: &[(f64, f64)]| {
        let (x, y) = run.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
        (x / run.len() as f64, y / run.len() as f64)
    };
    (points.chunks(length).map(mean).collect(), length)
}
