//! What the checks of all games share.

use super::ViewError;

/// Returns the message, as an error, unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        let holds: bool = $condition;
        if !holds {
            return Err(format!($($message)+));
        }
    };
}
pub(super) use ensure;

/// Refuses a view to which no deal leads, as `redeal` has found.
///
/// # Errors
/// There is no such deal.
pub(super) fn some_deal(is_possible: bool) -> Result<(), ViewError> {
    if is_possible {
        Ok(())
    } else {
        Err(ViewError::Impossible("no deal of the cards leads to it".to_owned()))
    }
}
