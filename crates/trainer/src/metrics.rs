//! What a run writes down while it learns: `metrics.csv`, `timing.csv` and TensorBoard events.
//!
//! `metrics.csv` is the record: one row per iteration, nothing in it depends on the clock, so two
//! runs of one configuration write the same bytes, resumed or not. Whatever the clock says is in
//! `timing.csv`. The events repeat both; when they cannot be written the run goes on without them.

mod csv;

use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::tensorboard::{self, Events};
use csv::Csv;

/// The names of everything a run reports, fixed at its start. Names follow TensorBoard's custom:
/// `group/name`, without commas, quotes, spaces or line breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Columns of `metrics.csv` after `iteration` and `decisions`: figures that a second run repeats
    /// exactly.
    pub metrics: Vec<String>,
    /// Columns of `timing.csv` after `iteration`: figures that depend on the clock.
    pub timing: Vec<String>,
}

/// What one iteration reports. Figures that were not set are empty cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    iteration: u64,
    decisions: u64,
    figures: Vec<(String, f64)>,
}

impl Row {
    /// An empty row for this iteration (from 1); `decisions` counts the learner's decisions since the
    /// run began and is the step of the TensorBoard events.
    pub fn new(iteration: u64, decisions: u64) -> Self {
        Self { iteration, decisions, figures: Vec::new() }
    }

    /// Sets a column of either file.
    pub fn set(&mut self, name: &str, value: f64) {
        self.figures.push((name.to_owned(), value));
    }
}

/// Why the record could not be written or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A row sets a name that is no column, or sets it twice.
    #[error("`{name}` is {problem}")]
    Figure {
        /// The name.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A row does not follow the one before.
    #[error("expected iteration {expected}, found {given}")]
    Order {
        /// The iteration of the row.
        given: u64,
        /// The iteration that was due.
        expected: u64,
    },
    /// The file does not fit the run that is to go on.
    #[error("{}:{line}: {problem}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A figure in the file is not the one that was written.
    #[error(
        "{}: lines 1 to {} were edited after the run wrote them (hash {given}, expected {expected}); restore them, or \
         resume from an undamaged copy of the run", path.display(), rows + 1
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// Rows under the line of names.
        rows: u64,
        /// The BLAKE3 sum of the lines.
        given: String,
        /// The sum that the checkpoint was written with.
        expected: String,
    },
    /// There are rows that a checkpoint should have been written after.
    #[error(
        "{}: it has more than {rows} rows, but the run has no checkpoint to resume; restore the checkpoints, or move this file away to start over", path.display()
    )]
    Unkept {
        /// The file.
        path: PathBuf,
        /// How many there may be before the first checkpoint.
        rows: u64,
    },
    /// The file that rows are written to is not at its path any more.
    #[error("{}: the file was replaced while the run wrote to it; restore it and resume the run", path.display())]
    Replaced {
        /// The file.
        path: PathBuf,
    },
}

/// The files of the rows.
pub(crate) use cardsharp_bot::run_record::METRICS;
pub(crate) const TIMING: &str = "timing.csv";

/// Removes the record of a run that did not get to its first iteration, as far as that is possible.
pub(crate) fn remove(folder: &Path) {
    for file in [METRICS, TIMING] {
        // Where it was not made there is nothing to remove.
        let _ = std::fs::remove_file(folder.join(file));
    }
    tensorboard::remove(folder);
}

/// The record of a run.
#[derive(Debug)]
pub struct Metrics {
    columns: Columns,
    metrics: Csv,
    timing: Csv,
    events: Option<Events>,
    next: u64,
    decisions: u64,
    /// What is worth a warning and was not told yet.
    mended: Option<String>,
}

impl Metrics {
    /// Opens the record in `folder` after `iteration` iterations (0: from the start). Rows of later
    /// iterations, written before the run was interrupted, are cut off. `tensorboard` adds events.
    /// `hash` is what [`Metrics::hash`] was then, if that is known. No iteration depends on `timing.csv`: where
    /// it is missing or damaged, its whole rows are kept, though what the network cost needs all of them
    /// ([`crate::train::cost`]).
    ///
    /// # Errors
    /// A name that cannot be a column; a file that cannot be read or written; a `metrics.csv` that has other
    /// columns, or lacks rows up to `iteration`, or in which a row is not as it was written: it is left
    /// as it is.
    pub fn open(
        folder: &Path,
        columns: Columns,
        iteration: u64,
        hash: Option<&str>,
        tensorboard: bool,
    ) -> Result<Self, MetricsError> {
        check_names(&columns)?;
        let header = |fixed: &str, names: &[String]| {
            std::iter::once(fixed).chain(names.iter().map(String::as_str)).collect::<Vec<_>>().join(",")
        };
        let metrics_header = header("iteration,decisions", &columns.metrics);
        let metrics = Csv::open(folder.join(METRICS), &metrics_header, iteration, hash)?;
        let path = folder.join(TIMING);
        let (timing, problem) = Csv::mend(path, &header("iteration", &columns.timing), iteration)?;
        let mended = problem.map(|problem| format!("{problem}; what is whole of its rows was kept"));
        let decisions = metrics.decisions(iteration)?;
        let events =
            tensorboard.then(|| Events::open(folder, if iteration == 0 { 0 } else { decisions + 1 }));
        Ok(Self { columns, metrics, timing, events, next: iteration + 1, decisions, mended })
    }

    /// Refuses to begin anew where a run went on for more than `rows` iterations already.
    ///
    /// # Errors
    /// `metrics.csv` in `folder` has more rows, or cannot be read.
    pub fn check_unbegun(folder: &Path, rows: u64) -> Result<(), MetricsError> {
        let path = folder.join(METRICS);
        match csv::has_more(&path, rows) {
            Ok(false) => Ok(()),
            Ok(true) => Err(MetricsError::Unkept { path, rows }),
            Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(source) => Err(MetricsError::Io { path, source }),
        }
    }

    /// Writes the row of the next iteration to the files and the events.
    ///
    /// # Errors
    /// The row is not the next one, a name is unknown or set twice, or `metrics.csv` was replaced: then
    /// nothing was written. Or a file cannot be written.
    pub fn write(&mut self, row: &Row) -> Result<(), MetricsError> {
        if row.iteration != self.next {
            return Err(MetricsError::Order { given: row.iteration, expected: self.next });
        }
        for (i, (name, _)) in row.figures.iter().enumerate() {
            let known = self.columns.metrics.contains(name) || self.columns.timing.contains(name);
            let problem = match known {
                false => "no column of this run",
                true if row.figures[..i].iter().any(|(n, _)| n == name) => "set twice in one row",
                true => continue,
            };
            return Err(MetricsError::Figure { name: name.clone(), problem });
        }
        let line = |mut line: String, names: &[String]| {
            for name in names {
                line.push(',');
                if let Some((_, value)) = row.figures.iter().find(|(n, _)| n == name) {
                    line.push_str(&value.to_string());
                }
            }
            line
        };
        self.metrics.check()?;
        self.metrics.append(&line(format!("{},{}", row.iteration, row.decisions), &self.columns.metrics))?;
        self.timing.append(&line(row.iteration.to_string(), &self.columns.timing))?;
        self.next += 1;
        self.decisions = row.decisions;
        if let Some(events) = &mut self.events {
            for (name, value) in &row.figures {
                events.scalar(name, *value, row.decisions);
            }
            events.flush();
        }
        Ok(())
    }

    /// Adds a text in Markdown to the events, at the step reached.
    pub fn text(&mut self, name: &str, text: &str) {
        if let Some(events) = &mut self.events {
            events.text(name, text, self.decisions);
            events.flush();
        }
    }

    /// Adds what the run is to the events: its settings, and which metrics belong together.
    pub fn settings(&mut self, settings: &Value, run: &str) {
        if let Some(events) = &mut self.events {
            events.settings(settings, &self.columns.metrics, run);
            events.layout(&self.columns.metrics);
            events.flush();
        }
    }

    /// Adds the distribution of `values` to the events, at the step reached; call after
    /// [`Metrics::write`]. Values that are not finite are left out.
    pub fn histogram(&mut self, name: &str, values: &[f32]) {
        if let Some(events) = &mut self.events {
            events.histogram(name, values, self.decisions);
            // Now: the next iteration may not come to its end.
            events.flush();
        }
    }

    /// Brings every row onto the disk. Call before a checkpoint is written: going on from it needs
    /// the rows up to its iteration.
    ///
    /// # Errors
    /// The system could not write a file.
    pub fn sync(&mut self) -> Result<(), MetricsError> {
        self.metrics.sync()?;
        self.timing.sync()
    }

    /// The BLAKE3 sum of `metrics.csv` in hexadecimal. Going on from a checkpoint needs the same.
    pub fn hash(&self) -> String {
        self.metrics.hash()
    }

    /// What was wrong with `timing.csv`, and why events are not written any more; each told once. The run
    /// goes on.
    pub fn warning(&mut self) -> Option<String> {
        self.mended.take().or_else(|| self.events.as_mut().and_then(Events::take_trouble))
    }
}

fn check_names(columns: &Columns) -> Result<(), MetricsError> {
    let names: Vec<_> = columns.metrics.iter().chain(&columns.timing).collect();
    for (i, name) in names.iter().enumerate() {
        let fits = |c: char| c.is_ascii_graphic() && c != ',' && c != '"';
        let problem = if name.is_empty() || !name.chars().all(fits) {
            "no name for a column: expected letters, digits and signs other than commas and quotes"
        } else if names[..i].contains(name) || matches!(name.as_str(), "iteration" | "decisions") {
            "the name of two columns"
        } else {
            continue;
        };
        return Err(MetricsError::Figure { name: (*name).clone(), problem });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
