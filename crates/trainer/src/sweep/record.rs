//! What a run has told, by its own record.

use std::fs;

use super::error::SweepError;
use crate::metrics::METRICS;
use crate::run_folder::{RunError, RunFolder};

/// The figures in the record of a run, by iteration, up to its newest checkpoint: what came after is trained again, to the
/// same figures.
///
/// # Errors
/// The record or the checkpoints cannot be read.
pub fn recall(folder: &RunFolder, figure: &str) -> Result<Vec<(u64, f64)>, SweepError> {
    let latest = folder.checkpoints().latest_valid().map_err(RunError::from)?;
    let Some(done) = latest.map(|latest| latest.checkpoint.iteration) else { return Ok(Vec::new()) };
    let path = folder.path().join(METRICS);
    let text = fs::read_to_string(&path).map_err(|source| SweepError::Io { path, source })?;
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap_or_default();
    let Some(column) = names.iter().position(|name| *name == figure) else { return Ok(Vec::new()) };
    let told = |cells: Vec<&str>| {
        let iteration = cells.first()?.parse().ok().filter(|iteration| *iteration <= done)?;
        // Iterations without a measurement have empty cells.
        Some((iteration, cells.get(column)?.parse().ok()?))
    };
    Ok(lines.filter_map(told).collect())
}
