//! What the characters add to the fitted weights of a move.
//!
//! Chosen, not fitted, in place score like the weights themselves. Who can go out does so whatever the
//! character.

use super::weights::MoveWeights;
use crate::game::Character;

/// Passes sooner, the sooner the better the cards are, keeps wild cards, and dislikes to break sets.
const CAUTIOUS: MoveWeights = MoveWeights { topping: -0.02, split: -0.2, wild: -0.1, high: -0.08, size: 0.0 };
/// Takes what can be taken, the more gladly the better the cards are, spends wild cards, and leads big
/// sets.
const AGGRESSIVE: MoveWeights = MoveWeights { topping: 0.3, split: 0.1, wild: 0.2, high: 0.1, size: 0.08 };

/// What a character adds.
pub const fn temper(character: Character) -> MoveWeights {
    match character {
        Character::Cautious => CAUTIOUS,
        Character::Aggressive => AGGRESSIVE,
    }
}
