//! The bot that plays random moves.

use cardsharp_env::{ActionId, Draw, SeatView, mask};

use crate::bot::{Advice, Bot, DecisionBatch, Ranked};
use crate::net::contiguous;

/// Plays a random legal move, all with the same probability.
#[derive(Clone, Debug)]
pub struct Random {
    draw: Draw,
}

impl Random {
    /// Creates a bot with the seed of its random stream.
    pub fn new(seed: u64) -> Self {
        Self { draw: Draw::new(seed, 0) }
    }

    /// Returns a random one of the legal actions, of which there must be at least one.
    fn any(&mut self, legal: &[u64]) -> ActionId {
        mask::nth(legal, self.draw.below(mask::count(legal).max(1))).unwrap_or_default()
    }
}

impl Bot for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        self.any(&view.legal_words())
    }

    fn choose(&mut self, ask: DecisionBatch<'_>, picks: &mut [ActionId]) {
        for &lane in ask.lanes {
            picks[lane] = self.any(&contiguous(ask.batch.legal.row(lane)));
        }
    }

    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        let words = view.legal_words();
        let probability = 1.0 / f64::from(mask::count(&words).max(1));
        Advice::new(
            None,
            mask::actions(&words).map(|action| Ranked { action, probability, value: None }).collect(),
        )
    }
}
