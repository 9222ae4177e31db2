//! The input of the scripted player, in terms that both climbing games share.

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::hands::Counts;

use super::weights::Weights;
use crate::{Customs, Memory, Trick};

/// The rank of a set of wild cards only.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Lone {
    /// The lowest rank of all.
    Lowest,
    /// Any natural rank, which the player declares.
    Any,
}

/// What one player sees of a round, with the parameters of the game.
#[derive(Copy, Clone)]
pub struct Situation<'a, const N: usize> {
    /// The player's cards.
    pub hand: &'a Counts<N>,
    /// All cards of the deck in play.
    pub deck: &'a Counts<N>,
    /// The cards played and the passes so far.
    pub memory: &'a Memory<N>,
    /// The state of play.
    pub trick: &'a Trick,
    /// The player's position.
    pub position: u8,
    /// Number of cards of each position still in, at least 1. Other entries are ignored.
    pub held: [u8; MAX_SEATS],
    /// The place of each rank among the ranks of the deck, from 0 (the best) to 1.
    pub places: &'a [f32; N],
    /// The rank of a set of wild cards only.
    pub lone: Lone,
    /// The rules of the trick that differ between games, and the house rules.
    pub customs: Customs,
    /// The weights of this game.
    pub weights: &'a Weights,
}
