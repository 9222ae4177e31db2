//! What every game must satisfy, checked on random play over all rules.
use crate::game::Game;
use serde::Serialize;

/// What a run covered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Decisions checked.
    pub decisions: u64,
}
/// A violation.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Finding(pub String);

/// Draft.
pub fn run<G: Game>(_decisions: u64, _seed: u64) -> Result<Report, Finding> {
    Ok(Report::default())
}
