//! The bot that searches.
//!
//! It uses only its view. It determinizes: it samples deals that are consistent with the view, and tries its moves in
//! them. A fixed player finishes each round in all seats. The bot then plays the move with the best mean reward. The
//! fixed player is the scripted player or a network; a network also selects the moves to try. The search plays its
//! player's own move unless another one is significantly better ([`SearchSettings::caution`]). So it improves on its
//! player, or plays like it.
//!
//! Playouts are spent by sequential halving: all moves are tried in the same deals, then the better half in more deals,
//! until two are left. `docs/results/search.md` has the alternatives that were tried.
//!
//! # Limits
//! * By default, all deals that are consistent with the view are equally likely. That a player who passed probably had
//!   nothing counts only if the view proves it. Callers can supply weights ([`Weigh`](crate::beliefs::Weigh)), and a
//!   [`Model`](crate::beliefs::Model) learns them from a bot's moves.
//! * Search over determinized deals suffers from *strategy fusion*: it assumes that it can play each deal differently
//!   later, although it cannot distinguish the deals. The halving search avoids this below the first move. It compares
//!   moves over the same deals, and the players that finish a round see only views. In return, it plays no better than
//!   that player there.
//! * Bids show something about the cards behind them. Neither the deals nor the players that finish a round use this.
//!   [`SearchSettings::play_only`] leaves auctions to the player.
//! * A move gains nothing from what it hides or shows, because the players that finish a round do not learn from it. So
//!   the search never finds bluffs.

mod aim;
mod compare;
mod halving;
mod player;
mod reason;
mod score;
mod settings;
mod worker;

use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, SeatView, mask};

use crate::beliefs::{DealWeights, Weighing, WeightError};
use crate::bot::{Advice, Bot, Ranked, Stop, certain};
use halving::Workspace;
use score::Scores;
use worker::{PlayoutWorker, Trial};

pub use aim::{Aimed, CounterMove, Rival};
pub use compare::{Compared, Difference, SeatResult};
pub use reason::Reason;
pub use settings::{
    Budget, Clock, DEFAULT_SIMULATIONS, MOST_SIMULATIONS, SearchSettings, Spec, SpecError, is_search,
};

/// A bot that searches; see [the module](self).
pub struct Search {
    name: String,
    settings: SearchSettings,
    seed: u64,
    /// Returns true once a decision must end early; `None` if none must.
    stop: Option<Stop>,
    /// One for each thread.
    workers: Vec<PlayoutWorker>,
    scores: Scores,
    workspace: Workspace,
    spent: Spent,
    /// The first invalid weight in the last decision.
    refused: Option<f64>,
}

/// The cost of searches.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Decisions with more than one legal move.
    pub decisions: u64,
    /// Number of deals drawn.
    pub deals: u64,
    /// Playouts: moves tried in a deal. Each is played to the end of the round.
    pub simulations: u64,
    /// Candidates that were weighed to draw deals; 0 without weights.
    pub candidates: u64,
    /// Deals whose candidates all had weight 0; the first candidate was taken.
    pub weightless: u64,
}

impl Search {
    /// Creates a bot with the seed of its random stream. The same position gets the same answer, regardless of earlier
    /// questions, unless the budget is a time.
    pub fn new(name: impl Into<String>, settings: SearchSettings, seed: u64) -> Self {
        let workers =
            (0..settings.threads.max(1)).map(|_| PlayoutWorker::new(settings.net.clone())).collect();
        let (scores, workspace, spent) = (Scores::default(), Workspace::default(), Spent::default());
        Self {
            name: name.into(),
            settings,
            seed,
            stop: None,
            workers,
            scores,
            workspace,
            spent,
            refused: None,
        }
    }

    /// Returns the cost of all decisions so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Works as [`Bot::pick`], with deals drawn by weight. A bot that remembers earlier moves can compute the weights
    /// and delegate to a search.
    ///
    /// # Errors
    /// A weight is invalid, or there are no candidates.
    pub fn pick_weighed(
        &mut self,
        view: SeatView<'_>,
        weights: DealWeights<'_>,
    ) -> Result<ActionId, WeightError> {
        self.weighed(view, &view.legal_words(), weights)
    }

    /// Works as [`Bot::advise`], with deals drawn by weight.
    ///
    /// # Errors
    /// As [`Search::pick_weighed`].
    pub fn advise_weighed(
        &mut self,
        view: SeatView<'_>,
        weights: DealWeights<'_>,
    ) -> Result<Advice, WeightError> {
        let legal = view.legal_words();
        let chosen = self.weighed(view, &legal, weights)?;
        Ok(self.scores.advice(chosen, &legal))
    }

    fn weighed(
        &mut self,
        view: SeatView<'_>,
        legal: &[u64],
        weights: DealWeights<'_>,
    ) -> Result<ActionId, WeightError> {
        if weights.candidates == 0 {
            return Err(WeightError::NoCandidates);
        }
        let chosen = self.decide(view, legal, Some(weights));
        self.refused.take().map_or(Ok(chosen), |weight| Err(WeightError::Weight(weight)))
    }

    /// Returns the seed of a position's deals. It depends only on the position and the bot's seed.
    fn seed_of(&self, view: SeatView<'_>, row: &[u8]) -> u64 {
        // Ignore zeros at the end: cells that a later version of the encoding added, which are 0 under the earlier
        // rules.
        let written = row.iter().rposition(|&cell| cell != 0).map_or(0, |last| last + 1);
        row[..written.max(view.first_cells())].chunks(8).fold(self.seed, |seed, word| {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word);
            derive(seed, &[u64::from_le_bytes(bytes)])
        })
    }

    /// Returns the move for a view with these legal actions. The results of all candidates stay in `scores`.
    fn decide(&mut self, view: SeatView<'_>, legal: &[u64], weights: Option<DealWeights<'_>>) -> ActionId {
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        let derived = self.seed_of(view, &row);
        let Self { settings, stop, workers, scores, workspace, spent, refused, .. } = self;
        if let Some(only) = mask::single(legal) {
            scores.start([only].into_iter());
            return only;
        }
        spent.decisions += 1;
        workers[0].player.candidates(view, &row, legal, settings.reach, scores);
        if scores.moves.len() < 2 || settings.play_only && view.is_auction() {
            return scores.own();
        }
        let asked = settings.beliefs.as_ref().filter(|_| weights.is_none()).map(|model| model.asked(view));
        let weights = weights.or(asked.as_ref().map(|asked| DealWeights::new(asked)));
        let trial = Trial { view, seed: derived, words: legal.len(), weights, stop: stop.as_ref() };
        let deals = halving::search(trial, &settings.budget, workers, workspace, scores);
        spent.deals += deals;
        spent.simulations += scores.simulations();
        let mut first = None::<(u64, f64)>;
        for Weighing { candidates, weightless, refused: found, .. } in
            workers.iter_mut().map(|worker| &mut worker.weighing)
        {
            spent.candidates += std::mem::take(candidates);
            spent.weightless += std::mem::take(weightless);
            // Threads determine which worker weighed a deal, but not which deal was first.
            let found = found.take().filter(|found| first.is_none_or(|(deal, _)| found.0 < deal));
            first = found.or(first);
        }
        *refused = first.map(|(_, weight)| weight);
        scores.choose(settings.caution)
    }
}

impl Bot for Search {
    fn name(&self) -> &str {
        &self.name
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        self.decide(view, &view.legal_words(), None)
    }

    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        let legal = view.legal_words();
        let chosen = self.decide(view, &legal, None);
        self.scores.advice(chosen, &legal)
    }

    fn stop_when(&mut self, stop: Stop) {
        self.stop = Some(stop);
    }

    /// Gives the chosen move probability 1, as the bot plays it, regardless of the other scores.
    fn distribution(&mut self, view: SeatView<'_>) -> Vec<Ranked> {
        certain(&view.legal_words(), self.pick(view)).collect()
    }
}

#[cfg(test)]
mod tests;
