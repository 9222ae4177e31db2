//! Draws deals by weight, for knowledge beyond what a view proves.
//!
//! A view determines which deals are possible, and [`SeatView::determinize`] draws them uniformly. Bids, passes and
//! passed cards can show more. A caller expresses this knowledge as weights ([`Weigh`]). Deals are then drawn by
//! *sampling importance resampling* (Rubin 1988). For each deal, a few candidates are drawn uniformly, and one of them
//! is chosen with probability proportional to its weight. Every deal has its own candidates. So deals are independent
//! of each other and of threads, as without weights.
//!
//! With `n` candidates, a deal becomes at most `n` times as probable as without weights. So wrong weights do limited
//! harm, and exploiting right weights takes more candidates. Each candidate costs a deal and a weight.

use cardsharp_env::rng::derive;
use cardsharp_env::{DealRng, Draw, Playout, SeatView};

/// Default number of candidates for each deal.
pub const DEFAULT_CANDIDATES: u32 = 8;

/// Separates the random streams of choices from those of candidates.
const CHOICE: u64 = u64::MAX;

/// The weight of deals, from knowledge beyond what the view proves. Closures implement it.
pub trait Weigh: Sync {
    /// Returns the weight of a deal: finite, and at least 0. Only ratios matter: a deal of weight 2 is drawn twice as
    /// often as one of weight 1. `view` is the view of the deciding seat. `deal` is in the same position as the current
    /// round, and [`Playout::view`] returns the views of the other seats in it. Must be deterministic.
    fn weigh(&self, view: SeatView<'_>, deal: &dyn Playout) -> f64;
}

impl<F: Fn(SeatView<'_>, &dyn Playout) -> f64 + Sync> Weigh for F {
    fn weigh(&self, view: SeatView<'_>, deal: &dyn Playout) -> f64 {
        self(view, deal)
    }
}

/// Weights of deals, and the number of candidates for each deal.
#[derive(Copy, Clone)]
pub struct DealWeights<'a> {
    /// Computes the weight of a deal.
    pub of: &'a dyn Weigh,
    /// Candidates for each deal, at least 1. With 1, the weights change nothing.
    pub candidates: u32,
}

impl<'a> DealWeights<'a> {
    /// Creates weights with the default number of candidates.
    pub fn new(of: &'a dyn Weigh) -> Self {
        Self { of, candidates: DEFAULT_CANDIDATES }
    }
}

/// Why a search with weights has no result.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
pub enum WeightError {
    /// A weight is not finite, or negative.
    #[error("a deal weighs {0}, expected a finite number, 0 or more")]
    Weight(f64),
    /// There are no candidates.
    #[error("there are 0 candidates for each deal, expected at least 1")]
    NoCandidates,
}

/// Counts of drawing deals by weight, in one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weighing {
    /// The weights of the candidates for one deal.
    weights: Vec<f64>,
    /// Candidates that were weighed.
    pub(crate) candidates: u64,
    /// Deals whose candidates all had weight 0.
    pub(crate) weightless: u64,
    /// The first refused weight, with the number of its deal.
    pub(crate) refused: Option<(u64, f64)>,
}

impl Weighing {
    /// Counts a weight and returns it; 0 if it is refused.
    fn take(&mut self, deal: u64, weight: f64) -> f64 {
        self.candidates += 1;
        if weight.is_finite() && weight >= 0.0 {
            return weight;
        }
        if self.refused.is_none_or(|(first, _)| deal < first) {
            self.refused = Some((deal, weight));
        }
        0.0
    }

    /// Returns the random generator that draws the chosen candidate for deal number `deal`. `round` is the buffer for
    /// the candidates.
    pub(crate) fn draw(
        &mut self,
        weights: DealWeights<'_>,
        view: SeatView<'_>,
        (seed, deal): (u64, u64),
        round: &mut Option<Box<dyn Playout>>,
    ) -> DealRng {
        let place = |candidate: u32| match candidate {
            0 => DealRng::new(seed, deal),
            candidate => DealRng::new(derive(seed, &[deal]), candidate.into()),
        };
        self.weights.clear();
        for candidate in 0..weights.candidates {
            let weight =
                view.determinize(place(candidate), round).map_or(0.0, |dealt| weights.of.weigh(view, dealt));
            let weight = self.take(deal, weight);
            self.weights.push(weight);
        }
        let weighed = &self.weights;
        // Divide by the greatest weight, so that sums stay finite.
        let greatest = weighed.iter().copied().fold(0.0, f64::max);
        if greatest == 0.0 {
            self.weightless += 1;
            return place(0);
        }
        let all: f64 = weighed.iter().map(|weight| weight / greatest).sum();
        let mut left = f64::from(Draw::new(derive(seed, &[deal, CHOICE]), 0).unit()) * all;
        let taken = weighed.iter().position(|weight| {
            left -= weight / greatest;
            left < 0.0
        });
        // Rounding may leave a rest after the last candidate with a positive weight; choose that one.
        let last = || weighed.iter().rposition(|&weight| weight > 0.0);
        place(taken.or_else(last).unwrap_or_default() as u32)
    }
}

#[cfg(test)]
mod tests;
