//! A bot that tries every legal move in random deals.
//!
//! It deals the hidden cards at random, consistent with its view. In each of these deals it makes each of its moves,
//! and the scripted player finishes the round in all seats. That costs a fixed number of rounds per decision
//! ([`Rollouts::new`]). It plays every game, because it uses only [`SeatView`].

mod memory;
mod weighed;

pub use memory::Memory;
pub use weighed::{Moved, Reader, weight};

use cardsharp_bot::{Advice, Bot, Ranked};
use cardsharp_env::rng::{DealRng, derive};
use cardsharp_env::{ActionId, Playout, SeatView, mask};

/// The bot replaces the scripted player's move only by one with a gain of more than this many standard errors in the
/// same deals. The best mean over a few deals is often luck.
const CAUTION: f64 = 2.0;

/// Tries every move in the same few deals.
pub struct Rollouts {
    /// The maximum number of rounds per decision. Every move is tried in at least four deals, even if that is more.
    budget: usize,
    seed: u64,
    /// The current deal. The next one reuses its memory.
    deal: Option<Box<dyn Playout>>,
}

/// The results of a move in the same deals.
#[derive(Copy, Clone, Default)]
struct Tried {
    /// Sum of the rewards.
    reward: f64,
    /// Sum of its gains: the reward minus that of the scripted player's move in the same deal.
    gain: f64,
    /// Sum of the squares of these gains.
    squares: f64,
}

impl Tried {
    /// Returns the mean gain in standard errors; 0 if there is no gain, or fewer than two deals.
    fn surely_better(&self, deals: f64) -> f64 {
        if self.gain <= 0.0 || deals < 2.0 {
            return 0.0;
        }
        let mean = self.gain / deals;
        let variance = (self.squares / deals - mean * mean) / (deals - 1.0);
        mean / variance.max(0.0).sqrt()
    }
}

impl Rollouts {
    /// Returns a bot that plays `budget` rounds per decision. The same seed and position give the same move, whatever
    /// the bot decided before.
    pub fn new(budget: usize, seed: u64) -> Self {
        Self { budget, seed, deal: None }
    }

    /// Tries `moves`, of which the first must be the scripted player's. Returns the results of each move, and the
    /// number of deals.
    fn try_out(&mut self, view: SeatView<'_>, moves: &[ActionId]) -> (Vec<Tried>, f64) {
        let (mut tried, mut deals) = (vec![Tried::default(); moves.len()], 0);
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        let seed = row.iter().fold(self.seed, |seed, &cell| derive(seed, &[cell.into()]));
        for stream in 0..(self.budget / moves.len()).max(4) {
            let Some(deal) = view.determinize(DealRng::new(seed, stream as u64), &mut self.deal) else {
                continue;
            };
            let mut own = 0.0;
            for (nth, (&action, tried)) in moves.iter().zip(&mut tried).enumerate() {
                deal.rewind();
                deal.play(action);
                deal.finish();
                let reward = f64::from(deal.payoff().reward[view.seat().index()]);
                if nth == 0 {
                    own = reward;
                }
                tried.reward += reward;
                tried.gain += reward - own;
                tried.squares += (reward - own).powi(2);
            }
            deals += 1;
        }
        (tried, f64::from(deals))
    }
}

impl Bot for Rollouts {
    fn name(&self) -> &str {
        "rollouts"
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        self.advise(view).moves[0].action
    }

    // Optional: the default follows from `pick`. It is useful for a bot that can rate its moves.
    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        let (legal, scripted) = (view.legal_words(), view.scripted());
        if mask::single(&legal).is_some() {
            return Advice::certain(&legal, scripted);
        }
        let others = mask::actions(&legal).filter(|&action| action != scripted);
        let moves: Vec<ActionId> = std::iter::once(scripted).chain(others).collect();
        let (tried, deals) = self.try_out(view, &moves);
        let sure = (1..moves.len()).filter(|&nth| tried[nth].surely_better(deals) > CAUTION);
        let best = sure.max_by(|&a, &b| tried[a].gain.total_cmp(&tried[b].gain)).unwrap_or(0);
        let value = |nth: usize| (deals > 0.0).then(|| (tried[nth].reward / deals) as f32);
        let ranked = |(nth, &action): (usize, &ActionId)| {
            let probability = f64::from(u8::from(nth == best));
            Ranked { action, probability, value: value(nth) }
        };
        Advice::new(value(best), moves.iter().enumerate().map(ranked).collect())
    }
}
