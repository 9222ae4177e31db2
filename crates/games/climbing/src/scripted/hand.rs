//! Features of a hand for the scripted player: its sets, each with odds from card counting.

use cardsharp_engine::hands::Counts;

use super::odds::Count;
use super::situation::{Lone, Situation};
use super::weights::Weights;

/// The chances of a player to lead next.
#[derive(Copy, Clone)]
pub struct Tempo {
    /// Probability that the player leads next.
    pub lead: f32,
}

impl Tempo {
    /// Another player takes the trick.
    pub const FOLLOWING: Self = Self { lead: 0.0 };
}

/// The value of a hand that certainly goes out: above all ordinary values, and below that of going out now.
const GONE: f32 = f32::MAX / 2.0;

/// The features of a hand. Ranks are places among the ranks of the deck, from 0 (the best) to 1. Shares and odds are
/// from 0 to 1.
#[derive(Copy, Clone, Debug)]
pub struct Hand {
    /// The sum of the values of the single sets: see [`super::SetWeights`].
    sets_value: f32,
    /// Number of sets, at least 1: wild cards alone count as a set.
    sets: f32,
    /// Number of wild cards.
    wilds: f32,
    /// Expected number of sets that no other player can answer.
    winners: f32,
    /// The longest wait of any set for an opportunity to top, 0 to 1.
    longest_wait: f32,
    /// Probability that no other player answers the weakest set.
    weakest: f32,
    /// Probability of going out without losing the lead, with the weakest set played last.
    run: f32,
    /// Mean, worst and best rank of the sets.
    ranks: [f32; 3],
    /// Mean share of the unseen cards that are better than the set.
    beaten: f32,
}

impl Hand {
    /// Computes the features of `cards`, which must not be empty.
    pub fn of<const N: usize>(situation: &Situation<'_, N>, count: &mut Count<N>, cards: &Counts<N>) -> Self {
        let wilds = usize::from(cards.0[N - 1]);
        let weights = &situation.weights.sets;
        let (mut sets, mut sets_value, mut winners, mut longest_wait) = (0.0, 0.0, 0.0, 0.0f32);
        let (mut rank_sum, mut worst, mut best, mut beaten) = (0.0, 0.0, 1.0, 0.0);
        let (mut run, mut weakest, mut lift) = (1.0f32, 1.0f32, 1.0f32);
        for rank in 0..N - 1 {
            let n = usize::from(cards.0[rank]);
            if n == 0 {
                continue;
            }
            let odds = count.set(rank, n);
            let (stands, wait) = (odds.stands, odds.wait());
            let share = count.better[rank];
            let place = situation.places[rank];
            let w = &weights[n.min(weights.len()) - 1];
            sets_value += w.each + w.stands * stands + w.stands2 * stands * stands + w.wait * wait;
            sets_value += w.beaten * share + w.beaten2 * share * share + w.rank2 * place * place;
            sets += 1.0;
            winners += stands;
            longest_wait = longest_wait.max(wait);
            rank_sum += place;
            worst = place;
            best = if best < place { best } else { place };
            beaten += share;
            // `run` excludes the weakest set. A set that is no longer the weakest joins the product.
            run *= if stands < weakest { std::mem::replace(&mut weakest, stands) } else { stands };
            if wilds != 0 {
                // Wild cards join the set that gains most. The added constant keeps the ratio finite.
                lift = lift.max((count.set(rank, n + wilds).stands + 0.001) / (stands + 0.001));
            }
        }
        if sets == 0.0 {
            (sets, weakest) = (1.0, if situation.lone == Lone::Any { 1.0 } else { 0.0 });
        }
        let ranks = [rank_sum / sets, worst, best];
        let (wilds, run, beaten) = (wilds as f32, (run * lift).min(1.0), beaten / sets);
        Self { sets_value, sets, wilds, winners, longest_wait, weakest, run, ranks, beaten }
    }

    /// The value of holding this hand, an estimate of the place score up to a constant. `least` is the smallest number
    /// of cards that an opponent holds.
    pub fn value(&self, weights: &Weights, Tempo { lead }: Tempo, least: f32) -> f32 {
        // Every set but perhaps the last one wins its trick, and the last one ends the hand. With wild cards `run` is
        // only an estimate.
        if weights.finishes && lead == 1.0 && self.run == 1.0 && self.wilds == 0.0 {
            return GONE;
        }
        let Weights { whole, lead: leading, .. } = weights;
        let held = if self.wilds > 0.0 { 1.0 } else { 0.0 };
        let deficit = (self.sets - 2.0 * self.winners - self.wilds).max(0.0);
        self.sets_value
            + whole.deficit * deficit
            + whole.longest_wait * self.longest_wait
            + whole.hurry * self.sets / least
            + whole.run * self.run
            + whole.wilds * held / self.sets
            + whole.mean_rank * self.ranks[0]
            + whole.worst_rank * self.ranks[1]
            + whole.best_rank * self.ranks[2]
            + whole.beaten * self.beaten
            + lead
                * (leading.always
                    + leading.certain * lead
                    + leading.weakest * self.weakest
                    + leading.run * self.run
                    + leading.few_sets / self.sets
                    + leading.hurry / least
                    + leading.winners * self.winners
                    + leading.beaten * self.beaten)
    }
}
