//! Invariants of a table, of a view and of a complete round, recomputed from scratch.

pub(super) mod owner;
mod public;
pub(super) mod roster;
#[cfg(test)]
mod tests;
mod whole;

use super::redeal;
use super::state::{Round, View};
use crate::game::{Check, ViewError, some_deal};
use crate::ground::rules::Rules as _;

impl Check for Round {
    fn check_view(view: View<'_>) -> Result<(), ViewError> {
        view.table.rules.check()?;
        public::check(view.table).map_err(ViewError::Impossible)?;
        owner::check(view).map_err(ViewError::Impossible)?;
        some_deal(redeal::is_possible(view))
    }

    fn audit(&self) -> Result<(), String> {
        whole::audit(self)
    }
}
