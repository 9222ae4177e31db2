//! What must hold of a table, of a view and of a whole round, recomputed from scratch.

mod owner;
mod public;
mod roster;
#[cfg(test)]
mod tests;
mod whole;

use super::deck::{self, Cards};
use super::{Round, View, redeal};
use crate::game::{Check, ViewError, some_deal};
use crate::games::climbing;
use crate::ground::rules::Rules as _;

pub use whole::audit;

impl Check for Round {
    fn check_view(view: View<'_>) -> Result<(), ViewError> {
        view.table.rules.check()?;
        public::check(view.table).map_err(ViewError::Impossible)?;
        owner::check(view).map_err(ViewError::Impossible)?;
        some_deal(redeal::is_possible(view))
    }

    fn audit(&self) -> Result<(), String> {
        audit(self)
    }
}

/// `all` without `part`, or what is missing.
fn without(all: &Cards, part: &Cards, what: &str) -> Result<Cards, String> {
    climbing::check::without(all, part, what, deck::to_text)
}
