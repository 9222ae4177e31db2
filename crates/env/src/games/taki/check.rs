//! What must hold of a table, of a view and of a whole game, recomputed from scratch.

mod owner;
mod public;
mod stage;
mod whole;

use super::View;
use super::redeal;
use crate::games::ViewError;
use crate::games::check::{ensure, some_deal};
use crate::rules::Rules as _;

pub use whole::audit;

/// Refuses a view that no game can show, so that legality, rows, bots and dealing may trust it.
///
/// # Errors
/// The rules are refused, or what contradicts what.
pub fn check_view(view: View<'_>) -> Result<(), ViewError> {
    view.table.rules.check()?;
    public::check(view.table).map_err(ViewError::Impossible)?;
    owner::check(view).and_then(|()| owner::past(view)).map_err(ViewError::Impossible)?;
    some_deal(redeal::is_possible(view))
}
