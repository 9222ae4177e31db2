//! How the characters judge the contracts that a hand allows.

use crate::game::Character;

/// What is added to the yardstick's judgement.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Temper {
    /// Points that a points contract is thought to bring beyond what the hand promises.
    pub hope: f32,
    /// The same of a fixed contract, in parts of what it is worth.
    pub dare: f32,
    /// Points that playing alone is thought to bring beyond what the hand promises.
    pub alone: f32,
}

impl Temper {
    /// Adds nothing: the yardstick.
    pub const PLAIN: Self = Self { hope: 0.0, dare: 0.0, alone: 0.0 };
    /// Bids what the hand makes even if the other cards lie badly.
    const CAUTIOUS: Self = Self { hope: -20.0, dare: -0.5, alone: -15.0 };
    /// Bids what the hand makes if the other cards lie well, and rather alone, which counts double.
    const AGGRESSIVE: Self = Self { hope: 15.0, dare: 0.25, alone: 12.0 };

    /// Of a player with a character.
    pub const fn of(character: Character) -> &'static Self {
        match character {
            Character::Cautious => &Self::CAUTIOUS,
            Character::Aggressive => &Self::AGGRESSIVE,
        }
    }
}
