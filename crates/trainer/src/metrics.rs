//! The record of a run: `metrics.csv`, `timing.csv` and TensorBoard events.
//!
//! `metrics.csv` has one row per iteration and does not depend on the clock. So two runs of one configuration write
//! identical bytes, resumed or not. Everything that depends on the clock is in `timing.csv`. The events repeat both; if
//! they cannot be written, the run continues without them.

mod csv;

use std::io;
use std::path::{Path, PathBuf};

use cardsharp_bot::run_record::metric::{DECISIONS, ITERATION};
use cardsharp_bot::run_record::{METRICS, TIMING};
use serde_json::Value;

use crate::tensorboard::{self, Events};
use csv::Csv;

/// The names of all metrics of a run, fixed at its start. Names follow TensorBoard's convention `group/name`, without
/// commas, quotes, spaces or line breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnNames {
    /// Columns of `metrics.csv` after `iteration` and `decisions`: deterministic values.
    pub metrics: Vec<String>,
    /// Columns of `timing.csv` after `iteration`: values that depend on the clock.
    pub timing: Vec<String>,
}

/// The values of one iteration. Columns without a value are empty cells.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricsRow {
    iteration: u64,
    decisions: u64,
    figures: Vec<(String, f64)>,
}

impl MetricsRow {
    /// Creates an empty row for this iteration (from 1). `decisions` counts the learner's decisions since the run began
    /// and is the step of the TensorBoard events.
    pub fn new(iteration: u64, decisions: u64) -> Self {
        Self { iteration, decisions, figures: Vec::new() }
    }

    /// Sets the value of a column of either file.
    pub fn set(&mut self, name: &str, value: f64) {
        self.figures.push((name.to_owned(), value));
    }
}

/// Why the record cannot be written or continued.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MetricsError {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A row sets an unknown column, or sets one twice.
    #[error("`{name}` is {problem}")]
    Figure {
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A row does not follow the one before it.
    #[error("expected iteration {expected}, found {given}")]
    Order {
        /// The iteration of the row.
        given: u64,
        /// The iteration that was due.
        expected: u64,
    },
    /// The file does not match the run that resumes.
    #[error("{}:{line}: {problem}", path.display())]
    Foreign {
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The file was edited after the run wrote it.
    #[error(
        "{}: lines 1 to {} were edited after the run wrote them (hash {given}, expected {expected}); restore them, or \
         resume from an undamaged copy of the run", path.display(), rows + 1
    )]
    Changed {
        path: PathBuf,
        /// Rows under the line of names.
        rows: u64,
        /// The BLAKE3 hash of the lines.
        given: String,
        /// The hash in the checkpoint.
        expected: String,
    },
    /// The file has rows, but the checkpoint that should follow them is missing.
    #[error(
        "{}: it has more than {rows} rows, but the run has no checkpoint to resume; restore the checkpoints, or move this file away to start over", path.display()
    )]
    Unkept {
        path: PathBuf,
        /// Maximum number of rows before the first checkpoint.
        rows: u64,
    },
    /// The file at the path is not the one that the run writes to.
    #[error("{}: the file was replaced while the run wrote to it; restore it and resume the run", path.display())]
    Replaced { path: PathBuf },
}

/// Removes the record of a run that did not complete an iteration, as far as possible.
pub(crate) fn remove(folder: &Path) {
    for file in [METRICS, TIMING] {
        // A missing file is fine.
        let _ = std::fs::remove_file(folder.join(file));
    }
    tensorboard::remove(folder);
}

/// The record of a run.
#[derive(Debug)]
pub struct Metrics {
    columns: ColumnNames,
    metrics: Csv,
    timing: Csv,
    events: Option<Events>,
    next: u64,
    decisions: u64,
    /// A warning that was not reported yet.
    mended: Option<String>,
}

impl Metrics {
    /// Opens the record in `folder` after `iteration` iterations (0: from the start). Cuts off rows of later
    /// iterations, which an interrupted run wrote. `tensorboard` adds events. `hash` is the value of [`Metrics::hash`]
    /// at that time, if known.
    ///
    /// No iteration depends on `timing.csv`. If it is missing or damaged, only its valid rows remain. But the cost of a
    /// network needs all rows ([`crate::train::cost`]).
    ///
    /// # Errors
    /// A name is not valid for a column. A file cannot be read or written. Or `metrics.csv` has other columns, lacks
    /// rows up to `iteration`, or was edited; then the file stays unchanged.
    pub fn open(
        folder: &Path,
        columns: ColumnNames,
        iteration: u64,
        hash: Option<&str>,
        tensorboard: bool,
    ) -> Result<Self, MetricsError> {
        check_names(&columns)?;
        let header = |fixed: &[&str], names: &[String]| {
            fixed.iter().copied().chain(names.iter().map(String::as_str)).collect::<Vec<_>>().join(",")
        };
        let metrics_header = header(&[ITERATION, DECISIONS], &columns.metrics);
        let metrics = Csv::open(folder.join(METRICS), &metrics_header, iteration, hash)?;
        let path = folder.join(TIMING);
        let (timing, problem) = Csv::mend(path, &header(&[ITERATION], &columns.timing), iteration)?;
        let mended = problem.map(|problem| format!("{problem}; what is whole of its rows was kept"));
        let decisions = metrics.decisions(iteration)?;
        let events =
            tensorboard.then(|| Events::open(folder, if iteration == 0 { 0 } else { decisions + 1 }));
        Ok(Self { columns, metrics, timing, events, next: iteration + 1, decisions, mended })
    }

    /// Refuses a new start if the record has more than `rows` iterations.
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
    /// The row is not the next one, a name is unknown or set twice, or `metrics.csv` was replaced: then nothing was
    /// written. Or a file cannot be written.
    pub fn write(&mut self, row: &MetricsRow) -> Result<(), MetricsError> {
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

    /// Adds a Markdown text to the events, at the current step.
    pub fn text(&mut self, name: &str, text: &str) {
        if let Some(events) = &mut self.events {
            events.text(name, text, self.decisions);
            events.flush();
        }
    }

    /// Adds the settings of the run to the events, and which metrics belong together.
    pub fn settings(&mut self, settings: &Value, run: &str) {
        if let Some(events) = &mut self.events {
            events.settings(settings, &self.columns.metrics, run);
            events.layout(&self.columns.metrics);
            events.flush();
        }
    }

    /// Adds the distribution of `values` to the events, at the current step. Call it after [`Metrics::write`]. Values
    /// that are not finite are left out.
    pub fn histogram(&mut self, name: &str, values: &[f32]) {
        if let Some(events) = &mut self.events {
            events.histogram(name, values, self.decisions);
            // Flush now, because the next iteration may be interrupted.
            events.flush();
        }
    }

    /// Syncs every row to the disk. Call it before writing a checkpoint: resuming from it needs the rows up to its
    /// iteration.
    ///
    /// # Errors
    /// The system could not write a file.
    pub fn sync(&mut self) -> Result<(), MetricsError> {
        self.metrics.sync()?;
        self.timing.sync()
    }

    /// Returns the BLAKE3 hash of `metrics.csv` in hexadecimal. Resuming from a checkpoint needs the same hash.
    pub fn hash(&self) -> String {
        self.metrics.hash()
    }

    /// Returns what was wrong with `timing.csv`, and why no more events are written; each once. The run continues.
    pub fn warning(&mut self) -> Option<String> {
        self.mended.take().or_else(|| self.events.as_mut().and_then(Events::take_trouble))
    }
}

fn check_names(columns: &ColumnNames) -> Result<(), MetricsError> {
    let names: Vec<_> = columns.metrics.iter().chain(&columns.timing).collect();
    for (i, name) in names.iter().enumerate() {
        let fits = |c: char| c.is_ascii_graphic() && c != ',' && c != '"';
        let problem = if name.is_empty() || !name.chars().all(fits) {
            "no name for a column: expected letters, digits and signs other than commas and quotes"
        } else if names[..i].contains(name) || [ITERATION, DECISIONS].contains(&name.as_str()) {
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
