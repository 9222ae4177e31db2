//! The built-in rule-based player: a yardstick, deterministic and without memory of its own.
//!
//! In the play it looks at every sensible move, describes what would be left in about thirty
//! numbers — how many sets, how good, how likely to stand, how likely to find something to top,
//! who is about to go out — and takes the move whose weighted sum is highest ([`play`], [`hand`]).
//! The numbers come from counted cards ([`odds`]); the weights were fitted ([`weights`]).
//! Before the play it follows plain rules and the same idea of a good hand ([`opening`]).

mod hand;
mod odds;
mod opening;
mod play;
#[cfg(test)]
mod tests;
mod weights;

use super::View;
use super::table::{Ask, Stage};
use crate::game::ActionId;

/// The move of the built-in player. Id 0 if the viewer has no decision to make.
pub fn choose(view: View<'_>) -> ActionId {
    if view.table.stage == Stage::Play {
        return play::choose(view);
    }
    match view.own.ask {
        Ask::Misdeal => opening::misdeal(view),
        Ask::Revolution => opening::revolution(view),
        Ask::Offer => opening::offer(),
        Ask::Tax | Ask::Exchange => opening::give(view),
        Ask::Nothing => ActionId::default(),
    }
}
