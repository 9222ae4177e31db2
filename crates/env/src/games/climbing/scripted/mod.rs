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
mod situation;
mod temper;
#[cfg(test)]
mod tests;
mod weights;

pub use give::give;
pub use hand::{Hand, Tempo};
pub use odds::Count;
pub use play::{can_play, play};
pub use situation::{Lone, Situation};
pub use temper::temper;
pub use weights::{LeadWeights, MoveWeights, SetWeights, Weights, WholeWeights};
