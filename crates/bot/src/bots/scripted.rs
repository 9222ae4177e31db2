//! The bot that plays by the rules of thumb that come with its game.

use cardsharp_env::{ActionId, AnyGame, AnyView, mask};

use crate::bot::{Advice, Ask, Bot, Ranked, legal_words};

/// Plays the move of [`cardsharp_env::Game::scripted`].
#[derive(Copy, Clone, Debug, Default)]
pub struct Scripted;

impl Bot for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn choose(&mut self, ask: Ask<'_>, picks: &mut [ActionId]) {
        for &lane in ask.lanes {
            ask.env.with_view(lane, &mut |view| picks[lane] = view.scripted());
        }
    }

    fn advise(&mut self, game: &dyn AnyGame, view: &dyn AnyView) -> Advice {
        let (words, own) = (legal_words(game, view), view.scripted());
        let moves = mask::actions(&words).map(|action| Ranked {
            action,
            probability: f64::from(u8::from(action == own)),
            value: None,
        });
        Advice::new(None, moves.collect())
    }
}
