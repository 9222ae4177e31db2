//! Opponents that look ahead.

use std::sync::Arc;

use cardsharp_bot::bots::search::{Gain, Search, Settings};
use cardsharp_bot::exact::Exact;
use cardsharp_bot::net::Net;
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
    pub(super) fn new(searchers: &Searchers, policy: &Arc<Net>, seed: u64) -> Self {
        let mut settings = searchers.settings.clone();
        if searchers.current {
            settings.net = Some(Arc::clone(policy));
        }
        Self {
            most: settings.positions(),
            search: Search::new("search", settings, seed),
            exact: Exact::default(),
        }
    }

    /// The move to play, and what was found out about the moves: of what is certain, everything. Of moves that are equally good
    /// the likeliest by these logits.
    fn look(&mut self, view: SeatView<'_>, logits: &[f32]) -> (ActionId, Vec<Gain>) {
        let known = self.exact.certain(view, self.most);
        let Some(known) = known.filter(|known| known.tells_apart()) else { return self.search.gains(view) };
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
        // A decision whose other moves nobody would think of teaches nothing.
        if let Some(teach) = teach.filter(|_| gains.len() > 1) {
            pupil.learn((number, lane), batch, action, &gains, teach);
        }
        action
    }
}
