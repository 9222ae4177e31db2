//! The bots that play by the rules of thumb that come with their game.

use cardsharp_env::{ActionId, AnyGame, AnyView, Character, mask};

use crate::bot::{Advice, Ask, Bot, Ranked, legal_words};

/// Plays the move of [`cardsharp_env::Game::scripted`], or that of a [`Character`].
#[derive(Copy, Clone, Debug, Default)]
pub struct Scripted {
    /// The character; the yardstick without one.
    pub character: Option<Character>,
}

impl Scripted {
    /// The name of the bot with this character, or without one.
    pub const fn name_of(character: Option<Character>) -> &'static str {
        match character {
            None => "scripted",
            Some(character) => character.name(),
        }
    }

    fn pick(self, view: &dyn AnyView) -> ActionId {
        self.character.map_or_else(|| view.scripted(), |character| view.character(character))
    }
}

impl Bot for Scripted {
    fn name(&self) -> &str {
        Self::name_of(self.character)
    }

    fn choose(&mut self, ask: Ask<'_>, picks: &mut [ActionId]) {
        for &lane in ask.lanes {
            ask.env.with_view(lane, &mut |view| picks[lane] = self.pick(view));
        }
    }

    fn advise(&mut self, game: &dyn AnyGame, view: &dyn AnyView) -> Advice {
        let (words, own) = (legal_words(game, view), self.pick(view));
        let moves = mask::actions(&words).map(|action| Ranked {
            action,
            probability: f64::from(u8::from(action == own)),
            value: None,
        });
        Advice::new(None, moves.collect())
    }
}
