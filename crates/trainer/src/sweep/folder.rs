//! The folder of a sweep. One process at a time uses it, and it never contains two sweeps.
//!
//! `sweep.toml` is the sealed plan. `setting-01/seed-1` and so on are run folders. `results.json` and `results.csv`
//! appear when the sweep is over. The process that trains holds `lock`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use cardsharp_bot::disk::{self, WRITING};
use cardsharp_bot::run_record::{IterationRow, MetricsTable, RunRecord};
use cardsharp_bot::seal;
use serde_json::Value;

use super::error::SweepError;
use super::plan::{RunIndex, SweepPlan};
use crate::config::{self, FieldDifference};
use crate::run_folder::{PATIENCE, RunError, RunFolder, lock};

const PLAN: &str = "sweep.toml";
const LOCK: &str = "lock";

/// The folder of a sweep that this process trains. Dropping it releases the lock.
#[derive(Debug)]
pub struct SweepFolder {
    path: PathBuf,
    seeds: Vec<u64>,
    /// Digits of setting numbers in folder names.
    digits: usize,
    _lock: File,
}

impl SweepFolder {
    /// Starts a sweep in a missing or empty folder, or resumes the same sweep.
    ///
    /// # Errors
    /// The folder contains another sweep or other files, another process trains in it, or it cannot be written.
    pub fn open(path: &Path, plan: &SweepPlan) -> Result<Self, SweepError> {
        let file = path.join(PLAN);
        let text = toml::to_string(&plan.described())?;
        if !file.is_file() {
            empty(path)?;
        }
        fs::create_dir_all(path).map_err(io_error(path))?;
        let lock = lock(path, PATIENCE)?;
        match file.is_file() {
            true => same(path, &file, &text)?,
            false => {
                empty(path)?;
                disk::replace(&file, seal::sealed(&text).as_bytes()).map_err(io_error(&file))?;
            }
        }
        let digits = plan.trials.to_string().len().max(2);
        Ok(Self { path: path.to_owned(), seeds: plan.seeds.clone(), digits, _lock: lock })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name of a setting's folder.
    pub fn setting(&self, setting: usize) -> String {
        format!("setting-{:0digits$}", setting + 1, digits = self.digits)
    }

    /// Returns the path of a run's folder.
    pub fn run(&self, run: RunIndex) -> PathBuf {
        self.path.join(self.setting(run.setting)).join(format!("seed-{}", self.seeds[run.seed]))
    }
}

/// Refuses a folder with any files, except those of a process that was stopped before it wrote `sweep.toml`.
fn empty(path: &Path) -> Result<(), SweepError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(io_error(path))?,
    };
    for entry in entries {
        let name = entry.map_err(io_error(path))?.file_name();
        if name != LOCK && name != disk::beside(Path::new(PLAN), WRITING).as_os_str() {
            return Err(SweepError::Occupied { path: path.to_owned() });
        }
    }
    Ok(())
}

/// Refuses a folder that contains another sweep.
fn same(path: &Path, file: &Path, text: &str) -> Result<(), SweepError> {
    let there = config::text(file)?;
    let changed = |problem| SweepError::Changed { path: file.to_owned(), problem };
    if let Some(problem) = seal::broken(&there) {
        return Err(changed(problem));
    }
    let leaves = |text: &str| -> Result<Vec<(String, String)>, toml::de::Error> {
        let mut leaves = Vec::new();
        cardsharp_document::leaves("", &toml::from_str::<Value>(text)?, &mut leaves);
        Ok(leaves)
    };
    let read = |text: &str| leaves(text).map_err(|error| changed(error.message().to_owned()));
    let (one, other) = (read(&there)?, read(text)?);
    let value = |of: &[(String, String)], field: &str| {
        of.iter().find(|(name, _)| name == field).map(|(_, value)| value.clone())
    };
    let fields = one.iter().chain(&other).map(|(field, _)| field);
    let mut differences = fields.filter_map(|field| {
        let (one, other) = (value(&one, field), value(&other, field));
        (one != other).then(|| FieldDifference { field: field.clone(), one, other })
    });
    match differences.next() {
        Some(difference) => Err(SweepError::Differs { path: path.to_owned(), difference }),
        None => Ok(()),
    }
}

/// Returns the iterations and values of the column `figure` in a run's record, up to its newest checkpoint. Later
/// iterations are trained again and give the same values.
///
/// # Errors
/// The record or the checkpoints cannot be read, or the record was edited.
pub fn recall(folder: &RunFolder, figure: &str) -> Result<Vec<(u64, f64)>, SweepError> {
    // A run that was stopped before its first checkpoint may lack the record, too.
    if folder.checkpoints().list().map_err(RunError::from)?.is_empty() {
        return Ok(Vec::new());
    }
    let RunRecord { text, checked } = RunRecord::read(folder.path()).map_err(RunError::from)?;
    let table = MetricsTable::parse_lenient(&text).unwrap_or_default();
    let Some((done, column)) = checked.zip(table.column(figure)) else { return Ok(Vec::new()) };
    // Iterations without a measurement have empty cells.
    let value = |row: &IterationRow| Some((row.iteration, row.get(column)?));
    Ok(table.rows().iter().filter(|row| row.iteration <= done).filter_map(value).collect())
}

pub(super) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> SweepError {
    move |source| SweepError::Io { path: path.to_owned(), source }
}
