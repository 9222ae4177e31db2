//! The rule-based player of the climbing games.
//!
//! It looks at every sensible move, describes what would be left in about thirty numbers — how many
//! sets, how good, how likely to stand, how likely to find something to top, who is about to go out —
//! and takes the move whose weighted sum is highest ([`play`], [`Hand`]). The numbers come from counted
//! cards ([`Count`]); the weights are each game's own and fitted ([`Weights`]). Which cards to give
//! away, in taxes or an exchange, follows from the same idea of a good hand ([`give`]).
//!
//! Ranks are indices `0..N`: 0 is the best, `N - 2` the worst natural one, `N - 1` the wild cards.
//! The strength of a set is `N - 1` minus its rank index, so 0 for wild cards played as the lowest.

mod give;
mod hand;
mod odds;
mod play;
mod temper;
#[cfg(test)]
mod tests;
mod weights;

use crate::ground::MAX_SEATS;
pub use give::give;
pub use hand::{Hand, Tempo};
pub use odds::{Count, Odds};
pub use play::{can_play, play};
pub use temper::temper;
pub use weights::{LeadWeights, MoveWeights, SetWeights, Weights, WholeWeights};

use super::{Customs, Memory, Trick};
use crate::ground::hands::Counts;

/// What a set of wild cards alone is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Lone {
    /// The lowest set of all.
    Lowest,
    /// Of any natural rank, as its player declares.
    Any,
}

/// What one player sees of a round, and what the game says of it.
#[derive(Copy, Clone)]
pub struct Situation<'a, const N: usize> {
    /// His cards.
    pub hand: &'a Counts<N>,
    /// All cards of the deck in play.
    pub deck: &'a Counts<N>,
    /// What has been played and passed.
    pub memory: &'a Memory<N>,
    /// The course of play.
    pub trick: &'a Trick,
    /// His position.
    pub position: u8,
    /// Cards held by each position that is still in, at least 1; the rest is not looked at.
    pub held: [u8; MAX_SEATS],
    /// How good each rank is among the ranks of the deck, from 0 (the best) to 1.
    pub places: &'a [f32; N],
    /// What wild cards alone are.
    pub lone: Lone,
    /// Who leads after a player went out, and whether leaders may pass.
    pub customs: Customs,
    /// What the numbers of a hand are worth in this game.
    pub weights: &'a Weights,
}
