//! How the characters value the contracts that a hand allows.

use cardsharp_engine::game::Character;

/// Adjustments to the values of the scripted player.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Temper {
    /// Points added to the expected score of a points contract.
    pub hope: f32,
    /// Added to the expected score of a fixed contract, as a fraction of its value.
    pub dare: f32,
    /// Points added to the expected result of playing alone.
    pub alone: f32,
}

impl Temper {
    /// No adjustments.
    pub const PLAIN: Self = Self { hope: 0.0, dare: 0.0, alone: 0.0 };
    /// Bids what the hand makes with unlucky other cards.
    const CAUTIOUS: Self = Self { hope: -20.0, dare: -0.5, alone: -15.0 };
    /// Bids what the hand makes with lucky other cards. Prefers to play alone, which counts double.
    const AGGRESSIVE: Self = Self { hope: 15.0, dare: 0.25, alone: 12.0 };

    /// Returns the adjustments of a character.
    pub const fn of(character: Character) -> &'static Self {
        match character {
            Character::Cautious => &Self::CAUTIOUS,
            Character::Aggressive => &Self::AGGRESSIVE,
        }
    }
}
