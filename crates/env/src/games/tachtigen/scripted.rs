//! The rule-based player.

use super::View;
use crate::game::{ActionId, Game};
use crate::mask;

/// The move of the rule-based player.
pub fn choose(view: View<'_>) -> ActionId {
    mask::nth(&super::Round::legal(view).0, 0).unwrap_or_default()
}
