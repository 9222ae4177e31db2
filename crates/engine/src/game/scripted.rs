//! The rule-based player of a game.

use super::{Play, View};
use crate::base::ActionId;

/// A character of the scripted player: a way to play that people know from their own tables. The player of
/// [`Scripted::scripted`] has no character.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Character {
    /// Saves good cards for later and promises only what it surely holds.
    Cautious,
    /// Spends good cards at once and promises more.
    Aggressive,
}

impl Character {
    /// All characters, from cautious to aggressive.
    pub const ALL: [Self; 2] = [Self::Cautious, Self::Aggressive];

    /// The name of the bot with this character: lower case, no spaces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cautious => "cautious",
            Self::Aggressive => "aggressive",
        }
    }
}

/// The scripted players. They are called only where the viewing seat has a decision.
pub trait Scripted: Play {
    /// The move of the scripted player.
    fn scripted(view: View<'_, Self>) -> ActionId;
    /// The move of the scripted player with a character: similar rules of thumb with other weights.
    fn character(view: View<'_, Self>, character: Character) -> ActionId;
}
