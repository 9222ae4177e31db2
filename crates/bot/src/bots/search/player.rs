//! The rollout policy of a search: it finishes the round after a tried move.

use std::sync::Arc;

use cardsharp_env::{ActionId, Playout, SeatView, mask};

use super::score::Scores;
use crate::bots::policy::greedy;
use crate::net::{Net, Scratch};

pub(super) struct PlayoutPlayer {
    /// `None` stands for the scripted player.
    net: Option<Arc<Net>>,
    scratch: Scratch,
    /// `[cells]` of the game's rows; empty before the first decision.
    row: Vec<u8>,
    /// `[actions]`.
    logits: Vec<f32>,
    /// `[words]`.
    pub(super) legal: Vec<u64>,
    /// Choices of the network since the counter was last reset.
    pub(super) choices: u64,
}

impl PlayoutPlayer {
    /// Creates a player with a network, or the scripted player.
    pub(super) fn new(net: Option<Arc<Net>>) -> Self {
        let actions = net.as_ref().map_or(0, |net| net.policy.outputs);
        let (row, logits) = (Vec::new(), vec![0.0; actions]);
        Self { net, scratch: Scratch::default(), row, logits, legal: Vec::new(), choices: 0 }
    }

    /// Initializes `scores` with the candidate moves, the player's preferred move first. Without a network these are
    /// all moves. With one, they are those whose logit is at most `reach` below the highest.
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

    /// Returns the player's move in a round in progress.
    pub(super) fn choose(&mut self, round: &dyn Playout) -> ActionId {
        let Self { net: Some(net), scratch, row, logits, legal, choices } = self else {
            return round.scripted();
        };
        if round.legal(legal) == 1 {
            return mask::single(legal).unwrap_or_default();
        }
        *choices += 1;
        row.resize(round.cells(), 0);
        round.row(row);
        net.forward(row, legal, scratch, logits);
        greedy(legal, logits)
    }

    /// Returns the legal actions of the seat to move.
    pub(super) fn legal(&mut self, round: &dyn Playout) -> &[u64] {
        round.legal(&mut self.legal);
        &self.legal
    }
}
