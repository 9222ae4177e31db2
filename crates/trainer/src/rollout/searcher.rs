//! Search bots in rollouts.

use std::sync::Arc;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::bots::search::{Gain, Search, Settings};
use cardsharp_bot::exact::Exact;
use cardsharp_env::{ActionId, Batch, SeatView};

use super::Lane;
use super::pupil::{Pupil, Teach};

/// The search bot of a run.
#[derive(Clone)]
pub struct Searchers {
    /// Settings of the search.
    pub settings: Settings,
    /// Whether it searches with the current policy; otherwise with the network in `settings`.
    pub current: bool,
}

pub(super) struct Searcher {
    search: Search,
    exact: Exact,
    /// Maximum number of positions for exact play.
    most: u64,
}

impl Searcher {
    pub(super) fn new(searchers: &Searchers, policy: &Arc<dyn PolicyNet>, seed: u64) -> Self {
        let mut settings = searchers.settings.clone();
        if searchers.current {
            // `Company::new` refuses runs whose policy cannot search.
            settings.net = Arc::clone(policy).plain();
        }
        Self {
            most: settings.positions(),
            search: Search::new("search", settings, seed),
            exact: Exact::default(),
        }
    }

    /// Returns the move to play, and the gains of moves. Exact play gives certain gains of all moves; a search without
    /// playouts gives none. Of equally good moves it plays the one with the highest of these logits.
    fn look(&mut self, view: SeatView<'_>, logits: &[f32]) -> (ActionId, Vec<Gain>) {
        let known = self.exact.certain(view, self.most);
        let Some(known) = known.filter(|known| known.tells_apart()) else {
            let (action, mut gains) = self.search.gains(view);
            // No gain was measured: the policy itself bids in the auction, or there were fewer playouts than moves.
            if gains.iter().all(|gain| gain.tries == 0) {
                gains.clear();
            }
            return (action, gains);
        };
        let likely = |action: &ActionId| logits[usize::from(action.0)];
        let best = known.best().max_by(|a, b| likely(a).total_cmp(&likely(b)).then(b.cmp(a)));
        let best = best.unwrap_or_default();
        let sure = |&(action, reward): &(ActionId, f32)| {
            let mean = f64::from(reward) - f64::from(known.value());
            let sureness = if known.is_best(action) { 0.0 } else { f64::NEG_INFINITY };
            Gain { action, tries: 0, mean, sureness }
        };
        (best, known.moves.iter().map(sure).collect())
    }

    /// Returns the move of a lane. With `teach`, also stores a lesson.
    pub(super) fn decide(
        &mut self,
        view: SeatView<'_>,
        (number, lane): (usize, &mut Lane),
        batch: &Batch,
        pupil: &mut Pupil<'_>,
        teach: Option<Teach<'_>>,
    ) -> ActionId {
        pupil.look(batch, number);
        let (action, gains) = self.look(view, &pupil.logits);
        // Without gains of at least two moves there is nothing to learn.
        if let Some(teach) = teach.filter(|_| gains.len() > 1) {
            pupil.learn((number, lane), batch, action, &gains, teach);
        }
        action
    }
}

#[cfg(test)]
mod tests {
    use cardsharp_bot::bots::search::Budget;
    use cardsharp_env::Draw;
    use cardsharp_env::blocks::{scales, width};

    use super::*;
    use crate::net::{Shape, to_net};

    /// Returns the number of gains that a search bot finds with `tries` playouts at the first decision of an auction.
    fn found(tries: u32, play_only: bool) -> usize {
        let game = cardsharp_env::game("tachtigen").expect("a game of the list");
        let (cells, actions) = (width(game.observation()), width(game.actions()));
        let shape = Shape { inputs: cells, hidden: vec![8], heads: vec![actions, 1] };
        // A nearly uniform policy: the search tries every move.
        let weights = shape.draw(&[0.01, 1.0], &mut Draw::new(2, 0));
        let policy: Arc<dyn PolicyNet> = Arc::new(
            to_net(&shape, &weights, &scales(game.observation())).expect("a policy and value network"),
        );
        let settings = Settings { play_only, ..Settings::new(Budget::Simulations(tries), None) };
        let searchers = Searchers { settings, current: true };
        let mut searcher = Searcher::new(&searchers, &policy, 1);
        let table = game.default_rules().table(7);
        let view = table.asked().expect("a round that was just dealt");
        assert!(view.is_auction());
        searcher.look(view, &vec![0.0; actions]).1.len()
    }

    #[test]
    fn what_nobody_tried_was_not_found_out() {
        assert!(found(400, false) > 1);
        assert_eq!(found(400, true), 0, "the bid is the policy's own");
        assert_eq!(found(1, false), 0, "fewer tries than moves");
    }
}
