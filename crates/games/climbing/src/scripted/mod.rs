//! The scripted player of the climbing games.
//!
//! It considers every sensible move and describes the cards left afterwards with about thirty features. These include
//! the number of sets, their ranks, the odds that no other player tops them, and the opponents' card counts. It picks
//! the move with the highest weighted sum ([`play`], [`Hand`]). The features come from card counting ([`Count`]). Each
//! game has its own fitted weights ([`Weights`]). The cards to give away in taxes or an exchange follow from the same
//! value of a hand ([`give`]).
//!
//! Ranks are indices `0..N`: 0 is the best, `N - 2` the worst natural rank, and `N - 1` the wild cards. The strength of
//! a set is `N - 1` minus its rank index, so 0 for wild cards played as the lowest rank.

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
