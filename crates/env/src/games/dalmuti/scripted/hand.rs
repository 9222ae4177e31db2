//! What a hand is worth: its sets, each with the odds that counting gives, in numbers.

use super::super::deck::{Cards, JESTER};
use super::odds::Count;
use super::weights::{LEAD, SETS, WHOLE};

/// How near the player is to the lead.
#[derive(Copy, Clone)]
pub struct Tempo {
    /// Probability of having the next lead.
    pub lead: f32,
}

impl Tempo {
    /// Somebody else takes the trick.
    pub const FOLLOWING: Self = Self { lead: 0.0 };
}

/// A hand, described. Ranks are in twelfths from the best (0) up, shares and odds from 0 to 1.
#[derive(Copy, Clone, Debug)]
pub struct Hand {
    /// The value of the sets one by one: see [`SETS`].
    sets_value: f32,
    /// Number of sets, at least 1: the Jesters alone are a set too.
    sets: f32,
    /// Jesters.
    jesters: f32,
    /// Expected number of sets that stand when played.
    winners: f32,
    /// The longest wait of any set for something to top, 0 to 1.
    longest_wait: f32,
    /// Probability that the weakest set stands.
    weakest: f32,
    /// Probability of going out without losing the lead again, the weakest set played last.
    run: f32,
    /// Mean, worst and best rank of the sets.
    ranks: [f32; 3],
    /// Mean share of the unseen cards that are better than the set.
    beaten: f32,
}

impl Hand {
    /// Describes `cards`, which must not be empty.
    pub fn of(count: &mut Count, cards: &Cards) -> Self {
        let jesters = usize::from(cards.0[JESTER]);
        let (mut sets, mut sets_value, mut winners, mut longest_wait) = (0.0, 0.0, 0.0, 0.0f32);
        let (mut rank_sum, mut worst, mut best, mut beaten) = (0.0, 0.0, 1.0, 0.0);
        let (mut run, mut weakest, mut lift) = (1.0f32, 1.0f32, 1.0f32);
        for rank in 0..JESTER {
            let n = usize::from(cards.0[rank]);
            if n == 0 {
                continue;
            }
            let odds = count.set(rank, n);
            let (stands, wait) = (odds.stands, odds.wait());
            let share = count.better[rank];
            let place = rank as f32 / JESTER as f32;
            let w = &SETS[n.min(SETS.len()) - 1];
            sets_value += w.each + w.stands * stands + w.stands2 * stands * stands + w.wait * wait;
            sets_value += w.beaten * share + w.beaten2 * share * share + w.rank2 * place * place;
            sets += 1.0;
            winners += stands;
            longest_wait = longest_wait.max(wait);
            rank_sum += place;
            worst = place;
            best = if best < place { best } else { place };
            beaten += share;
            // The weakest so far leaves the product only while it is the weakest.
            run *= if stands < weakest { std::mem::replace(&mut weakest, stands) } else { stands };
            if jesters != 0 {
                // Jesters join the set that gains most; the sum keeps the ratio finite.
                lift = lift.max((count.set(rank, n + jesters).stands + 0.001) / (stands + 0.001));
            }
        }
        if sets == 0.0 {
            (sets, weakest) = (1.0, 0.0);
        }
        let ranks = [rank_sum / sets, worst, best];
        let (jesters, run, beaten) = (jesters as f32, (run * lift).min(1.0), beaten / sets);
        Self { sets_value, sets, jesters, winners, longest_wait, weakest, run, ranks, beaten }
    }

    /// The value of holding the hand with this tempo, when the nearest rival holds `least` cards: an
    /// estimate of the place score up to a constant.
    pub fn value(&self, Tempo { lead }: Tempo, least: f32) -> f32 {
        let held = if self.jesters > 0.0 { 1.0 } else { 0.0 };
        let deficit = (self.sets - 2.0 * self.winners - self.jesters).max(0.0);
        self.sets_value
            + WHOLE.deficit * deficit
            + WHOLE.longest_wait * self.longest_wait
            + WHOLE.hurry * self.sets / least
            + WHOLE.run * self.run
            + WHOLE.jesters * held / self.sets
            + WHOLE.mean_rank * self.ranks[0]
            + WHOLE.worst_rank * self.ranks[1]
            + WHOLE.best_rank * self.ranks[2]
            + WHOLE.beaten * self.beaten
            + lead
                * (LEAD.always
                    + LEAD.certain * lead
                    + LEAD.weakest * self.weakest
                    + LEAD.run * self.run
                    + LEAD.few_sets / self.sets
                    + LEAD.hurry / least
                    + LEAD.winners * self.winners
                    + LEAD.beaten * self.beaten)
    }
}
