//! The player that finishes a round in which a move is tried.

use std::sync::Arc;

use cardsharp_env::{ActionId, Playout, Seat, SeatView, mask};

use super::score::Scores;
use crate::bots::policy::greedy;
use crate::net::{Net, Scratch};

/// The player that finishes rounds.
pub(super) struct Player {
    /// None: the game's built-in player.
    net: Option<Arc<Net>>,
    scratch: Scratch,
    /// `[cells]` of the game's rows; empty before the first decision.
    row: Vec<u8>,
    /// `[actions]`.
    logits: Vec<f32>,
    /// `[words]`.
    pub(super) legal: Vec<u64>,
    /// Choices of the network since somebody looked.
    pub(super) choices: u64,
}

impl Player {
    /// A player with a network, or the game's built-in one.
    pub(super) fn new(net: Option<Arc<Net>>) -> Self {
        let actions = net.as_ref().map_or(0, |net| net.policy.outputs);
        let (row, logits) = (Vec::new(), vec![0.0; actions]);
        Self { net, scratch: Scratch::default(), row, logits, legal: Vec::new(), choices: 0 }
    }

    /// Starts `scores` with the moves worth trying, its own first: all of them, or those whose logit is at
    /// most `reach` below that of its own.
    pub(super) fn candidates(
        &mut self,
        view: SeatView<'_>,
        row: &[u8],
        legal: &[u64],
        reach: f32,
        scores: &mut Scores,
    ) {
        let Self { net, scratch, logits, .. } = self;
        let moves = || mask::actions(legal);
        let Some(net) = net else {
            let own = view.scripted();
            scores.start([own].into_iter().chain(moves().filter(|&action| action != own)));
            return;
        };
        net.forward(row, legal, scratch, logits);
        let own = greedy(legal, logits);
        let least = logits[usize::from(own.0)] - reach;
        let others = moves().filter(|&action| action != own && logits[usize::from(action.0)] >= least);
        scores.start([own].into_iter().chain(others));
    }

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
    pub(super) fn foresee(&mut self, round: &mut dyn Playout, seat: Seat) -> Option<f32> {
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
        let Self { net: Some(net), scratch, row, logits, legal, choices } = self else {
            return (round.scripted(), None);
        };
        if round.legal(legal) == 1 {
            return (mask::single(legal).unwrap_or_default(), None);
        }
        *choices += 1;
        row.resize(round.cells(), 0);
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
