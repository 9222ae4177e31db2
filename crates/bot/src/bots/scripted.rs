//! The scripted player of each game.

use cardsharp_env::{ActionId, Character, SeatView};

use crate::bot::Bot;

/// Plays the move of [`cardsharp_env::game::Scripted::scripted`], or that of a [`Character`].
#[derive(Copy, Clone, Debug, Default)]
pub struct ScriptedBot {
    /// The character. `None` plays the plain scripted player.
    pub character: Option<Character>,
}

impl ScriptedBot {
    /// Returns the name of the bot with this character, or without one.
    pub const fn name_of(character: Option<Character>) -> &'static str {
        match character {
            None => "scripted",
            Some(character) => character.name(),
        }
    }
}

impl Bot for ScriptedBot {
    fn name(&self) -> &str {
        Self::name_of(self.character)
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        self.character.map_or_else(|| view.scripted(), |character| view.character(character))
    }
}
