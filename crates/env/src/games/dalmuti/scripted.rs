//! The built-in rule-based player (first draft).
use super::View;
use crate::game::{ActionId, Game};
use crate::mask::Mask;

/// The lowest legal action.
pub fn choose(view: View<'_>) -> ActionId {
    crate::mask::nth(super::Round::legal(view).words(), 0).unwrap_or_default()
}
