//! Plays out moves in one thread.

use std::sync::Arc;

use cardsharp_env::{ActionId, DealRng, Playout, SeatView};

use super::player::PlayoutPlayer;
use crate::beliefs::{DealWeights, Weighing};
use crate::bot::Stop;
use crate::net::Net;

/// Buffers for playouts, and the player that finishes rounds. Playouts allocate nothing.
pub(super) struct PlayoutWorker {
    /// The round of the playouts; `None` before the first deal.
    round: Option<Box<dyn Playout>>,
    pub(super) player: PlayoutPlayer,
    pub(super) weighing: Weighing,
}

/// The decision that is searched.
#[derive(Copy, Clone)]
pub(super) struct Trial<'a> {
    /// The view of the seat that decides.
    pub(super) view: SeatView<'a>,
    /// The seed of the deals.
    pub(super) seed: u64,
    /// Number of words in an action mask.
    pub(super) words: usize,
    /// The weights of deals; `None` if all are equally likely.
    pub(super) weights: Option<DealWeights<'a>>,
    /// Returns true once the decision must end early; `None` if it need not.
    pub(super) stop: Option<&'a Stop>,
}

impl Trial<'_> {
    /// Returns whether the decision must end early.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }
}

impl PlayoutWorker {
    pub(super) fn new(net: Option<Arc<Net>>) -> Self {
        Self { round: None, player: PlayoutPlayer::new(net), weighing: Weighing::default() }
    }

    /// Draws deal number `deal` of `trial` and sets up its round. Returns `None` if no round was found that is
    /// consistent with the view.
    pub(super) fn deal(
        &mut self,
        trial: Trial<'_>,
        deal: u64,
    ) -> Option<(&mut dyn Playout, &mut PlayoutPlayer)> {
        self.player.legal.resize(trial.words, 0);
        let rng = match trial.weights {
            None => DealRng::new(trial.seed, deal),
            Some(weights) => self.weighing.draw(weights, trial.view, (trial.seed, deal), &mut self.round),
        };
        let round = trial.view.determinize(rng, &mut self.round)?;
        Some((round, &mut self.player))
    }

    /// Plays out each of `actions` in the deals from number `first`. Writes the rewards of the viewing seat to
    /// `rewards`, `[deals, actions]`, in this order. If the decision must end early, the rest stays unchanged.
    pub(super) fn tries(&mut self, trial: Trial<'_>, actions: &[ActionId], first: u64, rewards: &mut [f32]) {
        let seat = trial.view.seat();
        for (deal, rewards) in rewards.chunks_exact_mut(actions.len()).enumerate() {
            let Some((round, player)) = self.deal(trial, first + deal as u64) else {
                // Without a round, all moves get the same reward.
                rewards.fill(0.0);
                continue;
            };
            for (number, (&action, reward)) in actions.iter().zip(rewards).enumerate() {
                if trial.is_stopped() {
                    return;
                }
                if number > 0 {
                    round.rewind();
                }
                round.play(action);
                player.finish(round);
                *reward = round.payoff().reward[seat.index()];
            }
        }
    }
}
