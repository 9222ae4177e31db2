//! Trying moves: what one thread needs for it, and the player that finishes a round.

use std::sync::Arc;

use cardsharp_env::{ActionId, DealRng, Playout, Seat, SeatView, mask};

use super::Position;
use super::score::Scores;
use super::settings::Horizon;
use super::tree::Tree;
use crate::bots::policy::greedy;
use crate::net::{Net, Scratch};

/// Room for trying moves, and who plays on after them. Nothing is allocated while moves are tried.
pub(super) struct Worker {
    /// The round that moves are tried in; none before the first deal.
    round: Option<Box<dyn Playout>>,
    player: Player,
    /// For [`super::tree`].
    pub(super) tree: Tree,
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
}

/// The player that finishes rounds.
pub(super) struct Player {
    /// None: the game's built-in player.
    net: Option<Arc<Net>>,
    scratch: Scratch,
    /// `[cells]`.
    row: Vec<u8>,
    /// `[actions]`.
    logits: Vec<f32>,
    /// `[words]`.
    legal: Vec<u64>,
}

impl Worker {
    pub(super) fn new(net: Option<Arc<Net>>) -> Self {
        let (cells, actions) = net.as_ref().map_or((0, 0), |net| (net.scale.len(), net.policy.outputs));
        let (row, logits) = (vec![0; cells], vec![0.0; actions]);
        let player = Player { net, scratch: Scratch::default(), row, logits, legal: Vec::new() };
        Self { round: None, player, tree: Tree::default() }
    }

    /// Starts `scores` with the moves worth trying, the player's own first: all of them, or those whose
    /// logit is at most `reach` below that of the network's own.
    pub(super) fn candidates(&mut self, position: Position<'_>, reach: f32, scores: &mut Scores) {
        let Player { net, scratch, logits, .. } = &mut self.player;
        let legal = || mask::actions(position.legal);
        let Some(net) = net else {
            let own = position.view.scripted();
            scores.start([own].into_iter().chain(legal().filter(|&action| action != own)));
            return;
        };
        net.forward(position.row, position.legal, scratch, logits);
        let own = greedy(position.legal, logits);
        let least = logits[usize::from(own.0)] - reach;
        let others = legal().filter(|&action| action != own && logits[usize::from(action.0)] >= least);
        scores.start([own].into_iter().chain(others));
    }

    /// Draws deal number `deal` of `trial` and sets it up to be played; none if no round was found that fits
    /// the view.
    pub(super) fn deal(&mut self, trial: Trial<'_>, deal: u64) -> Option<(&mut dyn Playout, &mut Player)> {
        self.player.legal.resize(trial.words, 0);
        let round = trial.view.redeal(DealRng::new(trial.seed, deal), &mut self.round)?;
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
}

impl Player {
    /// Plays a round to its end in all seats.
    pub(super) fn finish(&mut self, round: &mut dyn Playout) {
        if self.net.is_none() {
            round.finish();
            return;
        }
        while round.turn().is_some() {
            let action = self.choose(round);
            round.play(action);
        }
    }

    /// Plays until `seat` has a choice, and returns what the network expects for it there; none, with the
    /// round over, if it has none any more.
    fn foresee(&mut self, round: &mut dyn Playout, seat: Seat) -> Option<f32> {
        while let Some(turn) = round.turn() {
            let (action, value) = self.decide(round);
            if turn == seat && value.is_some() {
                return value;
            }
            round.play(action);
        }
        None
    }

    /// The player's move in a round that is not over.
    pub(super) fn choose(&mut self, round: &dyn Playout) -> ActionId {
        self.decide(round).0
    }

    /// The player's move in a round that is not over and, if a network chose it among several, what that
    /// expects.
    fn decide(&mut self, round: &dyn Playout) -> (ActionId, Option<f32>) {
        let Self { net: Some(net), scratch, row, logits, legal } = self else {
            return (round.scripted(), None);
        };
        if round.legal(legal) == 1 {
            return (mask::single(legal).unwrap_or_default(), None);
        }
        round.row(row);
        let value = net.forward(row, legal, scratch, logits);
        (greedy(legal, logits), Some(value))
    }

    /// The legal actions of the seat that must act.
    pub(super) fn legal(&mut self, round: &dyn Playout) -> &[u64] {
        round.legal(&mut self.legal);
        &self.legal
    }
}
