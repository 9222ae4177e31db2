//! The bot that looks ahead.
//!
//! It knows what its view knows. It draws deals at random among those the view allows, tries its moves in
//! them, lets a fixed player finish each round in all seats, and takes the move that pays best on average.
//! The fixed player is the game's built-in one, or a network, which then also says which moves are worth
//! trying. The player's own move is kept unless another one is better by more than chance explains
//! ([`Settings::caution`]): search improves on its player, or plays like it.
//!
//! There are two ways to spend the tries: [`Method::Halving`] and [`Method::Tree`]. What they measured stands
//! in `docs/results/search.md`.
//!
//! # What it cannot do
//! * By itself it draws deals as if all that fit the view were equally likely: that somebody who passed probably
//!   had nothing is not considered, beyond what the view proves. Who knows better gives it weights
//!   ([`Weigh`](crate::beliefs::Weigh)), and a bot that was watched has a model of them ([`Model`](crate::beliefs::Model)).
//! * Search over deals tends to *strategy fusion*: it believes that it will be able to play each deal in
//!   its own way, though it cannot tell the deals apart. Moves are compared over the same deals and the
//!   players that finish a round see views, so the halving search is free of it below the first move,
//!   at the price of playing no better than that player there. The tree keeps one node per history of
//!   public moves, so the searcher himself chooses once for all deals; but the others' moves in it are
//!   chosen among what they hold in each deal, and drawn cards are not told apart.
//! * Bids tell of the cards behind them, which neither the deals nor the players that finish a round take from them:
//!   [`Settings::play_only`] leaves an auction to the player.
//! * A move that hides or shows something is worth no more for that: the players that finish a round do
//!   not learn from it. Bluffs are never found.

mod aim;
mod compare;
mod forest;
mod halving;
mod player;
mod score;
mod settings;
mod tree;
mod worker;

use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, SeatView, mask};

use crate::beliefs::{Weighing, WeightError, Weights};
use crate::bot::{Advice, Bot, Ranked, certain};
use halving::Room;
use score::Scores;
use worker::{Trial, Worker};

pub use aim::{Aimed, Answer, Rival};
pub use compare::{Compared, Difference};
pub use score::Gain;
pub use settings::{
    Budget, Clock, DEFAULT_SIMULATIONS, Horizon, MOST_SIMULATIONS, Method, Settings, Spec, SpecError,
    is_search,
};

/// Looks ahead; see [the module](self).
pub struct Search {
    name: String,
    settings: Settings,
    seed: u64,
    /// One for each thread.
    workers: Vec<Worker>,
    scores: Scores,
    room: Room,
    spent: Spent,
    /// The first weight of the last decision that was none.
    refused: Option<f64>,
}

/// What searching has cost.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Decisions with more than one legal move.
    pub decisions: u64,
    /// Deals drawn.
    pub deals: u64,
    /// Moves tried in a deal, each played to the end of the round.
    pub simulations: u64,
    /// Candidates that were weighed to draw deals by weight; 0 without weights.
    pub candidates: u64,
    /// Deals none of whose candidates weighed anything: the first one was taken.
    pub weightless: u64,
}

impl Search {
    /// A bot with the seed of its random stream. The same position gets the same answer, whatever was
    /// asked before (unless the budget is a time).
    pub fn new(name: impl Into<String>, settings: Settings, seed: u64) -> Self {
        let workers = (0..settings.threads.max(1)).map(|_| Worker::new(settings.net.clone())).collect();
        let (scores, room, spent) = (Scores::default(), Room::default(), Spent::default());
        Self { name: name.into(), settings, seed, workers, scores, room, spent, refused: None }
    }

    /// What all decisions together have cost.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// [`Bot::pick`], and what it found out about the moves that it tried, the player's own first: learners take it for
    /// their teacher.
    pub fn gains(&mut self, view: SeatView<'_>) -> (ActionId, Vec<Gain>) {
        let chosen = self.decide(view, &view.legal_words(), None);
        (chosen, self.scores.gains())
    }

    /// [`Bot::pick`], with deals drawn by weight. A bot of one's own that remembers has the weights and asks a search.
    ///
    /// # Errors
    /// A weight is none; or there are no candidates.
    pub fn pick_weighed(
        &mut self,
        view: SeatView<'_>,
        weights: Weights<'_>,
    ) -> Result<ActionId, WeightError> {
        self.weighed(view, &view.legal_words(), weights)
    }

    /// [`Bot::advise`], with deals drawn by weight.
    ///
    /// # Errors
    /// As [`Search::pick_weighed`].
    pub fn advise_weighed(
        &mut self,
        view: SeatView<'_>,
        weights: Weights<'_>,
    ) -> Result<Advice, WeightError> {
        let legal = view.legal_words();
        let chosen = self.weighed(view, &legal, weights)?;
        Ok(self.scores.advice(chosen, &legal))
    }

    fn weighed(
        &mut self,
        view: SeatView<'_>,
        legal: &[u64],
        weights: Weights<'_>,
    ) -> Result<ActionId, WeightError> {
        if weights.candidates == 0 {
            return Err(WeightError::NoCandidates);
        }
        let chosen = self.decide(view, legal, Some(weights));
        self.refused.take().map_or(Ok(chosen), |weight| Err(WeightError::Weight(weight)))
    }

    /// The seed of a position's deals: the same position is searched alike, whatever was asked before.
    fn seed_of(&self, view: SeatView<'_>, row: &[u8]) -> u64 {
        // Cells that came with a later version of the encodings, and are 0 by the rules of before, change nothing.
        let written = row.iter().rposition(|&cell| cell != 0).map_or(0, |last| last + 1);
        row[..written.max(view.first_cells())].chunks(8).fold(self.seed, |seed, word| {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word);
            derive(seed, &[u64::from_le_bytes(bytes)])
        })
    }

    /// The move to play in a view whose legal actions these are. What was found out about the others stays
    /// in `scores`.
    fn decide(&mut self, view: SeatView<'_>, legal: &[u64], weights: Option<Weights<'_>>) -> ActionId {
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        let derived = self.seed_of(view, &row);
        let Self { settings, workers, scores, room, spent, refused, .. } = self;
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
        let weights = weights.or(asked.as_ref().map(|asked| Weights::new(asked)));
        let trial = Trial { view, seed: derived, words: legal.len(), horizon: settings.horizon, weights };
        let deals = match settings.method {
            Method::Halving => halving::search(trial, &settings.budget, workers, room, scores),
            Method::Tree => forest::search(trial, &settings.budget, workers, scores),
        };
        spent.deals += deals;
        spent.simulations += scores.simulations();
        let mut first = None::<(u64, f64)>;
        for Weighing { candidates, weightless, refused: found, .. } in
            workers.iter_mut().map(|worker| &mut worker.weighing)
        {
            spent.candidates += std::mem::take(candidates);
            spent.weightless += std::mem::take(weightless);
            // Which worker weighed a deal depends on threads, which deal was the first does not.
            let found = found.take().filter(|found| first.is_none_or(|(deal, _)| found.0 < deal));
            first = found.or(first);
        }
        *refused = first.map(|(_, weight)| weight);
        match settings.method {
            Method::Halving => scores.choose(settings.caution),
            Method::Tree => scores.most_tried(),
        }
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

    /// It plays what it has chosen, whatever it thinks of the other moves.
    fn distribution(&mut self, view: SeatView<'_>) -> Vec<Ranked> {
        certain(&view.legal_words(), self.pick(view)).collect()
    }
}

#[cfg(test)]
mod tests;
