//! Deals that are more probable than others, for reasons that a view does not prove.
//!
//! A view says which deals are possible, and [`SeatView::redeal`] draws them as if all were equally likely. Who knows
//! more, because he watched what the others bid, passed on or gave away, says it as weights ([`Weigh`]), and deals are drawn
//! by *sampling importance resampling* (Rubin 1988): for each deal that is wanted a few candidates are drawn uniformly, and
//! one of them is taken, each as probably as its share of their weight. Every deal has candidates of its own, so that
//! deals are independent of each other and of threads, as they are without weights.
//!
//! With `n` candidates a deal becomes at most `n` times as probable as it is without weights, however much it weighs: weights
//! that are wrong do bounded harm, and to use up what right ones say takes more candidates. Each costs a deal and
//! its weight.

use cardsharp_env::rng::derive;
use cardsharp_env::{DealRng, Draw, Playout, SeatView};

/// Candidates for each deal, where nothing else is said.
pub const DEFAULT_CANDIDATES: u32 = 8;

/// Sets the streams of choices apart from those of candidates.
const CHOICE: u64 = u64::MAX;

/// How probable deals are, for all that the searcher knows beyond what its view proves. A closure is one.
pub trait Weigh: Sync {
    /// The weight of a deal: finite, 0 or more. Only how weights compare matters: a deal of weight 2 is drawn twice as often as
    /// one of weight 1. `view` is what the seat that decides may know; in `deal`, which stands where the round in
    /// play does, [`Playout::view`] shows what the other seats would know. The same question has the same answer.
    fn weigh(&self, view: SeatView<'_>, deal: &dyn Playout) -> f64;
}

impl<F: Fn(SeatView<'_>, &dyn Playout) -> f64 + Sync> Weigh for F {
    fn weigh(&self, view: SeatView<'_>, deal: &dyn Playout) -> f64 {
        self(view, deal)
    }
}

/// Weights of deals, and how many candidates there are for each.
#[derive(Copy, Clone)]
pub struct Weights<'a> {
    /// What deals weigh.
    pub of: &'a dyn Weigh,
    /// Candidates for each deal, at least 1; with 1 the weights change nothing.
    pub candidates: u32,
}

impl<'a> Weights<'a> {
    /// Weights, with as many candidates as usual.
    pub fn new(of: &'a dyn Weigh) -> Self {
        Self { of, candidates: DEFAULT_CANDIDATES }
    }
}

/// Why a search by weights has no answer.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
pub enum WeightError {
    /// A weight that says nothing.
    #[error("a deal weighs {0}, expected a finite number, 0 or more")]
    Weight(f64),
    /// Nothing to choose from.
    #[error("there are 0 candidates for each deal, expected at least 1")]
    NoCandidates,
}

/// What drawing deals by weight has come to, in one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weighing {
    /// The weights of the candidates for one deal.
    weights: Vec<f64>,
    /// Candidates that were weighed.
    pub(crate) candidates: u64,
    /// Deals none of whose candidates weighed anything.
    pub(crate) weightless: u64,
    /// The weight that was refused, and the number of its deal: the first one.
    pub(crate) refused: Option<(u64, f64)>,
}

impl Weighing {
    /// Notes a weight and says what it counts: nothing, if it is refused.
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

    /// The place in the stream of deals of the one that is taken as number `deal`. `round` holds the candidates while they
    /// are weighed.
    pub(crate) fn draw(
        &mut self,
        weights: Weights<'_>,
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
                view.redeal(place(candidate), round).map_or(0.0, |dealt| weights.of.weigh(view, dealt));
            let weight = self.take(deal, weight);
            self.weights.push(weight);
        }
        let weighed = &self.weights;
        // Of the greatest, so that sums are finite.
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
        // Rounding may leave a rest behind the last one that weighs something.
        let last = || weighed.iter().rposition(|&weight| weight > 0.0);
        place(taken.or_else(last).unwrap_or_default() as u32)
    }
}

#[cfg(test)]
mod tests;
