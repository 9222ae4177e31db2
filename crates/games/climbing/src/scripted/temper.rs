//! Adjustments of the fitted weights for each character of the scripted player.
//!
//! They are chosen, not fitted, and in units of place score like the weights. A player who can go out does so with any
//! character.

use cardsharp_engine::game::Character;

use super::weights::MoveWeights;

/// Passes sooner, above all with high cards; keeps wild cards; avoids breaking sets.
const CAUTIOUS: MoveWeights = MoveWeights { topping: -0.02, split: -0.2, wild: -0.1, high: -0.08, size: 0.0 };
/// Tops when possible, above all with high cards; spends wild cards; leads big sets.
const AGGRESSIVE: MoveWeights = MoveWeights { topping: 0.3, split: 0.1, wild: 0.2, high: 0.1, size: 0.08 };

/// The adjustment for a character.
pub const fn temper(character: Character) -> MoveWeights {
    match character {
        Character::Cautious => CAUTIOUS,
        Character::Aggressive => AGGRESSIVE,
    }
}
