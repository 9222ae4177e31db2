//! Checks of rounds, and of views from outside.

use super::{Play, View, ViewError};

/// The rules' invariants, recomputed from scratch.
pub trait Check: Play {
    /// Refuses a view from outside that no round can show, so that all other code can trust views.
    ///
    /// # Errors
    /// The contradiction in the view, or the refused rules.
    fn check_view(view: View<'_, Self>) -> Result<(), ViewError>;
    /// Checks the state against the rules' invariants.
    ///
    /// # Errors
    /// The invariant that does not hold.
    fn audit(&self) -> Result<(), String>;
}

/// Returns the message as an error unless the condition holds. Use it in [`Check::audit`](crate::Check::audit) and
/// its helpers.
///
/// ```
/// fn seat(seat: u8, players: u8) -> Result<(), String> {
///     cardsharp_env::ensure!(seat < players, "seat {seat} of {players} players");
///     Ok(())
/// }
/// assert_eq!(seat(4, 3), Err("seat 4 of 3 players".to_owned()));
/// ```
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        let holds: bool = $condition;
        if !holds {
            return Err(format!($($message)+));
        }
    };
}
pub use ensure;

/// Refuses a view if determinization found no deal that leads to it.
///
/// # Errors
/// `is_possible` is false.
pub fn some_deal(is_possible: bool) -> Result<(), ViewError> {
    if is_possible {
        Ok(())
    } else {
        Err(ViewError::Impossible("no deal of the cards leads to it".to_owned()))
    }
}
