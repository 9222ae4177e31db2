//! Kinds of moves that characterize how a player plays.

use super::{Play, View};
use crate::base::ActionId;

/// Kinds of moves, for descriptions of how a player plays. Bots do not use them.
pub trait Habits: Play {
    /// The names of the kinds of moves, at most 32; empty in a game without them.
    const HABITS: &'static [&'static str] = &[];

    /// The kinds of [`Habits::HABITS`] that a legal action of the viewing seat belongs to, one bit each.
    fn habits(_view: View<'_, Self>, _action: ActionId) -> u32 {
        0
    }
}
