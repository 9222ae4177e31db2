//! A bot that asks of every move how it would go on.
//!
//! It deals the cards that it cannot see at random, as its view allows, makes each of its moves in each of
//! these deals, and lets the scripted player finish every round in all seats. That costs a fixed number of rounds
//! per decision ([`Rollouts::new`]). It plays for any game: all it uses is [`SeatView`].

mod memory;
mod weighed;

pub use memory::Memory;
pub use weighed::{Moved, Reader, weight};

use cardsharp_bot::{Advice, Bot, Ranked};
use cardsharp_env::rng::{DealRng, derive};
use cardsharp_env::{ActionId, Playout, SeatView, mask};

/// The scripted player's move is left only for one that gained this many standard errors more in the same deals: who
/// follows the best mean of a few deals follows luck.
const CAUTION: f64 = 2.0;

/// Tries every move in the same few deals.
pub struct Rollouts {
    /// Rounds that it plays out per decision, at most; but every move is tried in four deals.
    budget: usize,
    seed: u64,
    /// The deal in work; the next one takes its place without allocating.
    deal: Option<Box<dyn Playout>>,
}

/// What trying a move has shown.
#[derive(Copy, Clone, Default)]
struct Tried {
    /// Sum of the rewards.
    reward: f64,
    /// Sums of what it gained over the scripted player's move in the same deal, and of the squares of that.
    gain: f64,
    squares: f64,
}

impl Tried {
    /// By how many standard errors it was better than the scripted player's move.
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
    /// A bot that plays out `budget` rounds per decision. The same seed and position give the same move, whatever was
    /// asked before.
    pub fn new(budget: usize, seed: u64) -> Self {
        Self { budget, seed, deal: None }
    }

    /// Tries `moves`, the first of which is the scripted player's; returns what came of each, and in how many deals.
    fn try_out(&mut self, view: SeatView<'_>, moves: &[ActionId]) -> (Vec<Tried>, f64) {
        let (mut tried, mut deals) = (vec![Tried::default(); moves.len()], 0);
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        let seed = row.iter().fold(self.seed, |seed, &cell| derive(seed, &[cell.into()]));
        for stream in 0..(self.budget / moves.len()).max(4) {
            let Some(deal) = view.redeal(DealRng::new(seed, stream as u64), &mut self.deal) else { continue };
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

    // Need not be here: what is not said follows from `pick`. It pays for a bot that knows more of its moves
    // than which one it makes.
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
