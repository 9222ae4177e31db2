//! The built-in rule-based player: placeholder while the rules are built.
use super::View;
use super::actions;
use crate::game::ActionId;
use crate::mask::{self, Mask};

/// The move of the built-in player. Id 0 if the viewer has no decision to make.
pub fn choose(view: View<'_>) -> ActionId {
    mask::nth(actions::legal(view).words(), 0).unwrap_or_default()
}
