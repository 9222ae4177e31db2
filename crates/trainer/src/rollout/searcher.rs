//! Opponents that look ahead.

use std::sync::Arc;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::bots::search::{Gain, Search, Settings};
use cardsharp_bot::exact::Exact;
use cardsharp_env::{ActionId, Batch, SeatView};

use super::Lane;
use super::pupil::{Pupil, Teach};

/// Who searches, in the course of a run.
#[derive(Clone)]
pub struct Searchers {
    /// How.
    pub settings: Settings,
    /// Whether with the policy as it is; otherwise with what `settings` have.
    pub current: bool,
}

/// A searcher.
pub(super) struct Searcher {
    search: Search,
    exact: Exact,
    /// Positions that what is certain may cost.
    most: u64,
}

impl Searcher {
    pub(super) fn new(searchers: &Searchers, policy: &Arc<dyn PolicyNet>, seed: u64) -> Self {
        let mut settings = searchers.settings.clone();
        if searchers.current {
            // A run whose policy cannot search was refused before.
            settings.net = Arc::clone(policy).plain();
        }
        Self {
            most: settings.positions(),
            search: Search::new("search", settings, seed),
            exact: Exact::default(),
        }
    }

    /// The move to play, and what was found out about the moves: of what is certain, everything; nothing where none was tried. Of
    /// moves that are equally good the likeliest by these logits.
    fn look(&mut self, view: SeatView<'_>, logits: &[f32]) -> (ActionId, Vec<Gain>) {
        let known = self.exact.certain(view, self.most);
        let Some(known) = known.filter(|known| known.tells_apart()) else {
            let (action, mut gains) = self.search.gains(view);
            // An auction that is the policy's own, or fewer tries than moves: that no gain was found says nothing.
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

    /// The move for a lane whose decision this is, and the lesson to be kept if asked to.
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
        // A decision whose other moves nobody would think of, or nobody tried, teaches nothing.
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

    /// How many gains a searcher finds with so many tries where somebody first has a choice in an auction.
    fn found(tries: u32, play_only: bool) -> usize {
        let game = cardsharp_env::game("tachtigen").expect("a game of the list");
        let (cells, actions) = (width(game.observation()), width(game.actions()));
        let shape = Shape { inputs: cells, hidden: vec![8], heads: vec![actions, 1] };
        // Nearly uniform: every move is worth a try.
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
