//! What must hold of a table, of a view and of a whole hand, recomputed from scratch.

mod owner;
mod public;
mod whole;

use super::View;
use super::deck::{self, Cards};
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

/// Refuses a view that no hand can show, so that legality, rows, bots and dealing may trust it.
///
/// # Errors
/// The rules are refused, or what contradicts what.
pub fn check_view(view: View<'_>) -> Result<(), ViewError> {
    view.table.rules.check()?;
    public::check(view.table).map_err(ViewError::Impossible)?;
    owner::check(view).map_err(ViewError::Impossible)?;
    if redeal::is_possible(view) {
        Ok(())
    } else {
        Err(ViewError::Impossible("no deal of the cards leads to it".to_owned()))
    }
}

/// `all` without `part`, or what is missing.
fn without(all: &Cards, part: &Cards, what: &str) -> Result<Cards, String> {
    ensure!(all.contains(part), "{what}: {} are not all among {}", deck::to_text(part), deck::to_text(all));
    let mut rest = *all;
    rest.remove(part);
    Ok(rest)
}

/// Both together; sums that no deck holds are refused.
fn with(some: &Cards, more: &Cards) -> Result<Cards, String> {
    let mut all = *some;
    for (n, m) in all.0.iter_mut().zip(&more.0) {
        *n = n.checked_add(*m).ok_or_else(|| "no deck has that many cards".to_owned())?;
    }
    Ok(all)
}
