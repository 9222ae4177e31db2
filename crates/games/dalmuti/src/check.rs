//! Invariants of a table, of a view and of a complete hand, recomputed from scratch.

mod owner;
mod public;
mod whole;

use cardsharp_engine::game::{Check, ViewError, some_deal};
use cardsharp_engine::rules::Rules as _;

use super::redeal;
use super::state::{Round, View};

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
