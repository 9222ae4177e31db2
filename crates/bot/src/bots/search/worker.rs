//! Trying moves: what one thread needs for it.

use std::sync::Arc;

use cardsharp_env::{ActionId, DealRng, Playout, SeatView};

use super::player::Player;
use super::score::Scores;
use super::settings::Horizon;
use super::tree::Tree;
use crate::beliefs::{Weighing, Weights};
use crate::net::Net;

/// Room for trying moves, and who plays on after them. Nothing is allocated while moves are tried.
pub(super) struct Worker {
    /// The round that moves are tried in; none before the first deal.
    round: Option<Box<dyn Playout>>,
    pub(super) player: Player,
    /// What passes have found so far.
    pub(super) tree: Tree,
    pub(super) weighing: Weighing,
}

/// What is searched.
#[derive(Copy, Clone)]
pub(super) struct Trial<'a> {
    /// The view of the seat that decides.
    pub(super) view: SeatView<'a>,
    /// The seed of the deals.
    pub(super) seed: u64,
    /// Words of a mask of legal actions.
    pub(super) words: usize,
    /// How far moves are played out.
    pub(super) horizon: Horizon,
    /// What deals weigh; none where all are equally likely.
    pub(super) weights: Option<Weights<'a>>,
}

impl Worker {
    pub(super) fn new(net: Option<Arc<Net>>) -> Self {
        Self { round: None, player: Player::new(net), tree: Tree::default(), weighing: Weighing::default() }
    }

    /// Draws deal number `deal` of `trial` and sets it up to be played; none if no round was found that fits
    /// the view.
    pub(super) fn deal(&mut self, trial: Trial<'_>, deal: u64) -> Option<(&mut dyn Playout, &mut Player)> {
        self.player.legal.resize(trial.words, 0);
        let rng = match trial.weights {
            None => DealRng::new(trial.seed, deal),
            Some(weights) => self.weighing.draw(weights, trial.view, (trial.seed, deal), &mut self.round),
        };
        let round = trial.view.redeal(rng, &mut self.round)?;
        Some((round, &mut self.player))
    }

    /// Tries each of `actions` in the deals from number `first` on: the rewards of the viewing seat go to
    /// `rewards`, `[deals, actions]`.
    pub(super) fn tries(&mut self, trial: Trial<'_>, actions: &[ActionId], first: u64, rewards: &mut [f32]) {
        let seat = trial.view.seat();
        for (deal, rewards) in rewards.chunks_exact_mut(actions.len()).enumerate() {
            let Some((round, player)) = self.deal(trial, first + deal as u64) else {
                // What is not found tells nothing of the moves: they fare alike.
                rewards.fill(0.0);
                continue;
            };
            for (number, (&action, reward)) in actions.iter().zip(rewards).enumerate() {
                if number > 0 {
                    round.rewind();
                }
                round.play(action);
                let foreseen = match trial.horizon {
                    Horizon::End => None,
                    Horizon::Value => player.foresee(round, seat),
                };
                *reward = foreseen.unwrap_or_else(|| {
                    player.finish(round);
                    round.payoff().reward[seat.index()]
                });
            }
        }
    }

    /// One pass through the tree in deal number `deal`; what came of it is added to `scores`.
    pub(super) fn pass(&mut self, trial: Trial<'_>, deal: u64, scores: &mut Scores) {
        let mut tree = std::mem::take(&mut self.tree);
        if let Some((round, player)) = self.deal(trial, deal) {
            let first = tree.descend(trial.view.seat(), round, player, scores);
            player.finish(round);
            let payoff = round.payoff();
            tree.learn(&payoff);
            if let Some(score) = scores.moves.iter_mut().find(|score| score.action == first) {
                let reward = payoff.reward[trial.view.seat().index()];
                score.add(reward, reward);
            }
        }
        self.tree = tree;
    }
}
