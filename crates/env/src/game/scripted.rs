//! Players by rule.

use super::{Play, View};
use crate::ground::ActionId;

/// A way to play that people know from their own tables, beside the yardstick of
/// [`Scripted::scripted`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Character {
    /// Keeps what is good for later and promises only what it surely holds.
    Cautious,
    /// Spends what is good at once and promises more.
    Aggressive,
}

impl Character {
    /// All characters.
    pub const ALL: [Self; 2] = [Self::Cautious, Self::Aggressive];

    /// The name of the bot that plays so: lower case, no spaces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cautious => "cautious",
            Self::Aggressive => "aggressive",
        }
    }
}

/// The built-in players. They are asked only where the viewing seat has a decision.
pub trait Scripted: Play {
    /// The move of the built-in rule-based player.
    fn scripted(view: View<'_, Self>) -> ActionId;
    /// That of the same player with a character: rules of thumb of the same kind, weighed otherwise.
    fn character(view: View<'_, Self>, character: Character) -> ActionId;
}
