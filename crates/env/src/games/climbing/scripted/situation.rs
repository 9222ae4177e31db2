//! What one player sees, in the words of both climbing games.

use super::weights::Weights;
use crate::games::climbing::{Customs, Memory, Trick};
use crate::ground::MAX_SEATS;
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
    /// The state of play.
    pub trick: &'a Trick,
    /// His position.
    pub position: u8,
    /// Cards held by each position that is still in, at least 1; the rest is not looked at.
    pub held: [u8; MAX_SEATS],
    /// How good each rank is among the ranks of the deck, from 0 (the best) to 1.
    pub places: &'a [f32; N],
    /// What wild cards alone are.
    pub lone: Lone,
    /// Who leads after a player went out, whether leaders may pass, and house rules.
    pub customs: Customs,
    /// What the numbers of a hand are worth in this game.
    pub weights: &'a Weights,
}
