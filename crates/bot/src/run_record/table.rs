//! Reads `metrics.csv` and `timing.csv`: a header, then a row of numbers for each iteration.

use super::metric;
use crate::arena::Interval;

/// Numbers in a sound table are below this: a run writes no larger ones, and a page cannot draw them.
const LIMIT: f64 = 1e15;

/// A table of a run. The default is that of a run without any output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricsTable {
    /// Names of the columns after `iteration`.
    columns: Vec<String>,
    rows: Vec<IterationRow>,
}

/// The numbers of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct IterationRow {
    /// The number of the iteration, from 1.
    pub iteration: u64,
    /// A cell for each column after `iteration`; `None` if it is empty.
    cells: Vec<Option<f64>>,
}

/// Why a text is not the table of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {problem}")]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// The strength of the learner against one baseline, during a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Strength {
    /// The name of the baseline in the columns.
    pub opponent: String,
    /// Its measurements, in order.
    pub points: Vec<Measured>,
}

/// A measurement of a run's strength.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Measured {
    /// Number of complete iterations at that time.
    pub iteration: u64,
    /// Decisions of the learner before it.
    pub decisions: f64,
    /// The place score of the learner, −1 to 1.
    pub score: Interval,
    /// Share of first places.
    pub first: f64,
}

impl MetricsTable {
    /// Reads a table with the rows of iterations 1, 2, 3, …. A last line without its end is still being written, and
    /// ignored.
    ///
    /// # Errors
    /// The first line does not start with `iteration`, a row is missing, or a cell is not a number.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let mut lines = lines(text);
        let columns = columns(lines.next())?;
        let mut rows = Vec::new();
        for (number, line) in (2..).zip(lines) {
            let refuse = |problem| TableError { line: number, problem };
            let row = IterationRow::parse(line, columns.len()).map_err(refuse)?;
            let expected = rows.len() as u64 + 1;
            if row.iteration != expected {
                let problem = format!("expected the row of iteration {expected}, found `{}`", row.iteration);
                return Err(refuse(problem));
            }
            rows.push(row);
        }
        Ok(Self { columns, rows })
    }

    /// Reads what can be read: rows may be missing, and cells that are not numbers count as empty. `timing.csv` may be
    /// damaged, because nothing depends on it.
    ///
    /// # Errors
    /// The first line does not start with `iteration`.
    pub fn parse_lenient(text: &str) -> Result<Self, TableError> {
        let mut lines = lines(text);
        let columns = columns(lines.next())?;
        let row = |line: &str| {
            let mut cells = line.split(',');
            let iteration = cells.next()?.parse().ok()?;
            Some(IterationRow { iteration, cells: cells.map(|cell| cell.parse().ok()).collect() })
        };
        let rows = lines.filter_map(row).collect();
        Ok(Self { columns, rows })
    }

    /// Returns the rows in the order of the file.
    pub fn rows(&self) -> &[IterationRow] {
        &self.rows
    }

    /// Returns the index of the column with this name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Returns the strength against each baseline that was measured, in the order of the columns.
    pub fn strengths(&self) -> Vec<Strength> {
        let Some(decisions) = self.column(metric::DECISIONS) else { return Vec::new() };
        let opponents = self.columns.iter().filter_map(|name| {
            let opponent = metric::PLACE_SCORE.opponent_in(name)?;
            let [score, low, high, first] =
                metric::ARENA.map(|metric| self.column(&metric.against(opponent)));
            let [score, low, high, first] = [score?, low?, high?, first?];
            let measured = |row: &IterationRow| {
                Some(Measured {
                    iteration: row.iteration,
                    decisions: row.get(decisions)?,
                    score: Interval { mean: row.get(score)?, low: row.get(low)?, high: row.get(high)? },
                    first: row.get(first)?,
                })
            };
            let points = self.rows.iter().filter_map(measured).collect();
            Some(Strength { opponent: opponent.to_owned(), points })
        });
        opponents.filter(|strength| !strength.points.is_empty()).collect()
    }
}

impl IterationRow {
    /// Returns the number in a column ([`MetricsTable::column`]).
    pub fn get(&self, column: usize) -> Option<f64> {
        self.cells.get(column).copied().flatten()
    }

    /// Reads a row with this number of columns after `iteration`; or returns what is wrong with it.
    fn parse(line: &str, columns: usize) -> Result<Self, String> {
        let number = |cell: &str| match cell.parse::<f64>() {
            Ok(value) if value.abs() < LIMIT => Ok(value),
            _ => Err(format!("`{cell}` is not a number below 1e15")),
        };
        let mut cells = line.split(',');
        let first = cells.next().unwrap_or_default();
        let iteration = first.parse().map_err(|_| format!("expected an iteration, found `{first}`"))?;
        let cell = |cell: &str| if cell.is_empty() { Ok(None) } else { number(cell).map(Some) };
        let cells = cells.map(cell).collect::<Result<Vec<_>, _>>()?;
        match cells.len() == columns {
            true => Ok(Self { iteration, cells }),
            false => {
                let (found, expected) = (cells.len() + 1, columns + 1);
                Err(format!("{found} cells, expected {expected} as in the first line"))
            }
        }
    }
}

/// Returns the complete lines of a text.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let whole = text.split_inclusive('\n').map_while(|line| line.strip_suffix('\n'));
    whole.map(|line| line.trim_end_matches('\r'))
}

/// Returns the names of the columns after `iteration`.
fn columns(header: Option<&str>) -> Result<Vec<String>, TableError> {
    let mut names = header.unwrap_or_default().split(',').map(str::to_owned);
    match names.next() {
        Some(first) if first == metric::ITERATION => Ok(names.collect()),
        _ => {
            let problem = format!("expected the columns of a run's table, `{}` first", metric::ITERATION);
            Err(TableError { line: 1, problem })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Metrics of a run: one opponent has a slash in its name, and one was never measured.
    const METRICS: &str = "\
iteration,decisions,policy/entropy,arena/a/b/place_score,arena/a/b/place_score_low,arena/a/b/place_score_high,\
arena/a/b/first_rate,arena/c/place_score,arena/c/place_score_low,arena/c/place_score_high,arena/c/first_rate
1,100,1.5,,,,,,,,
2,200,1.25,-0.5,-0.75,-0.25,0.125,,,,
3,310,1,0.25,0,0.5,0.5,,,,
";

    #[test]
    fn a_table_is_read_to_its_last_complete_line() {
        let table = MetricsTable::parse(METRICS).expect("a table");
        assert_eq!(table.rows().iter().map(|row| row.iteration).collect::<Vec<_>>(), [1, 2, 3]);
        let entropy = table.column("policy/entropy").expect("a column");
        assert_eq!(table.rows()[1].get(entropy), Some(1.25));
        assert_eq!(table.column("no/such"), None);
        let strengths = table.strengths();
        assert_eq!(strengths.len(), 1, "an opponent without a measurement is left out");
        assert_eq!(strengths[0].opponent, "a/b");
        let points: Vec<_> =
            strengths[0].points.iter().map(|p| (p.iteration, p.decisions, p.score.mean, p.first)).collect();
        assert_eq!(points, [(2, 200.0, -0.5, 0.125), (3, 310.0, 0.25, 0.5)]);
        assert_eq!(MetricsTable::parse(&format!("{METRICS}4,40")), Ok(table.clone()));
        assert_eq!(MetricsTable::parse(&METRICS.replace('\n', "\r\n")), Ok(table));
    }

    #[test]
    fn an_invalid_row_is_refused_with_its_line_or_read_as_far_as_possible() {
        let header = "iteration,decisions,x\n";
        for (rows, problem) in [
            ("1,5,0\n3,9,0\n", "3: expected the row of iteration 2, found `3`"),
            ("1,5\n", "2: 2 cells, expected 3 as in the first line"),
            ("1,5,NaN\n", "2: `NaN` is not a number below 1e15"),
            ("1,5,1e300\n", "2: `1e300` is not a number below 1e15"),
            ("1,much,0\n", "2: `much` is not a number below 1e15"),
            ("one,5,0\n", "2: expected an iteration, found `one`"),
        ] {
            let error = MetricsTable::parse(&format!("{header}{rows}")).expect_err(rows);
            assert_eq!(error.to_string(), problem);
        }
        for text in ["", "time,decisions\n", "iteration"] {
            let error = MetricsTable::parse(text).expect_err("no header").to_string();
            assert!(error.starts_with("1: expected the columns of a run's table"), "{error}");
            assert!(MetricsTable::parse_lenient(text).is_err());
        }
        let table =
            MetricsTable::parse_lenient(&format!("{header}1,5,0\n2,x,0\nx\n4,9\n5,9")).expect("a table");
        let found: Vec<_> = table.rows().iter().map(|row| (row.iteration, row.get(0), row.get(1))).collect();
        assert_eq!(found, [(1, Some(5.0), Some(0.0)), (2, None, Some(0.0)), (4, Some(9.0), None)]);
    }
}
