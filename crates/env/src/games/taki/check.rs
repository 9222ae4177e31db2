//! What must hold of a table, of a view and of a whole game, recomputed from scratch.

mod owner;
mod public;
mod stage;
mod whole;

use super::View;
use super::redeal;
use crate::games::ViewError;
use crate::rules::Rules as _;

pub use whole::audit;

/// Returns the message, as an error, unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        let holds: bool = $condition;
        if !holds {
            return Err(format!($($message)+));
        }
    };
}
use ensure;

/// Refuses a view that no game can show, so that legality, rows, bots and dealing may trust it.
///
/// # Errors
/// The rules are refused, or what contradicts what.
pub fn check_view(view: View<'_>) -> Result<(), ViewError> {
    view.table.rules.check()?;
    public::check(view.table).map_err(ViewError::Impossible)?;
    owner::check(view).and_then(|()| owner::past(view)).map_err(ViewError::Impossible)?;
    if redeal::is_possible(view) {
        Ok(())
    } else {
        Err(ViewError::Impossible("no deal of the cards leads to it".to_owned()))
    }
}
