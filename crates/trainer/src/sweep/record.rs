//! What a run has measured, by its own record.

use cardsharp_bot::run_record::RunRecord;

use super::error::SweepError;
use crate::run_folder::{RunError, RunFolder};

/// The figures in the record of a run, by iteration, up to its newest checkpoint: what follows is trained again, to the same
/// figures.
///
/// # Errors
/// The record or the checkpoints cannot be read, or the record was changed.
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
