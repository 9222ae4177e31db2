//! The bot that plays anything.

use cardsharp_env::{ActionId, AnyGame, AnyView, Draw, mask};

use crate::bot::{Advice, Ask, Bot, Ranked, legal_words};
use crate::net::contiguous;

/// Plays a legal move, all with the same probability.
#[derive(Clone, Debug)]
pub struct Random {
    draw: Draw,
}

impl Random {
    /// With the seed of its random stream.
    pub fn new(seed: u64) -> Self {
        Self { draw: Draw::new(seed, 0) }
    }
}

impl Bot for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn choose(&mut self, ask: Ask<'_>, picks: &mut [ActionId]) {
        for &lane in ask.lanes {
            let legal = contiguous(ask.batch.legal.row(lane));
            // A lane that decides has a legal action.
            if let Some(pick) = mask::nth(&legal, self.draw.below(mask::count(&legal).max(1))) {
                picks[lane] = pick;
            }
        }
    }

    fn advise(&mut self, game: &dyn AnyGame, view: &dyn AnyView) -> Advice {
        let words = legal_words(game, view);
        let probability = 1.0 / f64::from(mask::count(&words).max(1));
        Advice::new(
            None,
            mask::actions(&words).map(|action| Ranked { action, probability, value: None }).collect(),
        )
    }
}
