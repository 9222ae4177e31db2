//! Reads the measured values of a run from its record.

use cardsharp_bot::run_record::RunRecord;

use super::error::SweepError;
use crate::run_folder::{RunError, RunFolder};

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
    let Some(done) = checked else { return Ok(Vec::new()) };
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
