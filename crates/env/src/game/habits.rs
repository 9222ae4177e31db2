//! What moves tell of how somebody plays.

use super::{Play, View};
use crate::ground::ActionId;

/// Kinds of moves. Asked by those who describe how somebody plays, and by nothing that plays.
pub trait Habits: Play {
    /// Kinds of moves that tell how somebody plays, by name, at most 32; empty in a game without.
    const HABITS: &'static [&'static str] = &[];

    /// The kinds of [`Habits::HABITS`] that a legal action of the viewing seat is of, one bit each.
    fn habits(_view: View<'_, Self>, _action: ActionId) -> u32 {
        0
    }
}
