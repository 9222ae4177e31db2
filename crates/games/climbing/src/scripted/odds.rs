//! Odds of what the opponents hold, from card counting.

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::hands::RankCounts;

use super::{Situation, WildRank};
use crate::REMEMBERED_SIZES;
use crate::sets::MAX_SIZE;

/// The smallest share in the table is one card in this many.
const SHARES: usize = 12;
/// Number of set sizes, including 0.
const SIZES: usize = MAX_SIZE + 1;
/// Number of seats other than the player's own.
const OTHERS: usize = MAX_SEATS - 1;

/// How dangerous an opponent remains after a pass, as a factor. `PASSED_NOW` is for a pass in this trick: most of them
/// pass again. `PASSED_BEFORE` is for an earlier pass on a worse set of the same size: most had no better set, but some
/// saved it.
///
/// Fits to The Great Dalmuti hardly depend on these values. With 0.1 to 0.7 for the first and 0.7 to 1.6 for the
/// second, the explained share of the outcomes stays within 0.0007 of 0.053.
const PASSED_NOW: f32 = 0.3;
const PASSED_BEFORE: f32 = 0.7;

/// `AT_LEAST[s][n][u]`: the probability that a player holds `n` or more of `u` copies of a card. The player's hand is
/// one in `s` of the unseen cards, so each copy is in it with probability 1/s.
static AT_LEAST: [[[f32; SIZES]; SIZES + 1]; SHARES + 1] = {
    let mut table = [[[0.0; SIZES]; SIZES + 1]; SHARES + 1];
    let mut s = 1;
    while s <= SHARES {
        let share = 1.0 / s as f32;
        let mut u = 0;
        while u < SIZES {
            table[s][0][u] = 1.0;
            let mut n = 1;
            while n <= u {
                // Either the player holds the last copy and `n - 1` others, or not the last one but `n` others.
                table[s][n][u] = share * table[s][n - 1][u - 1] + (1.0 - share) * table[s][n][u - 1];
                n += 1;
            }
            u += 1;
        }
        s += 1;
    }
    table
};

/// The odds of one set.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Odds {
    /// Probability that no other player can (and will) answer it.
    pub stands: f32,
    /// Expected number of sets of its size in the other hands that it would top.
    pub chances: f32,
}

impl Odds {
    /// How long the set waits for a set to top: 1 if there will be none, less with more chances. Five expected chances
    /// halve it.
    ///
    /// The scale matters little, because the weights are fitted.
    pub fn wait(self) -> f32 {
        1.0 / (1.0 + 0.2 * self.chances)
    }
}

/// Counts of the unseen cards from one player's view, and the odds of sets.
pub struct Count<const N: usize> {
    /// By rank index, the share of the unseen cards that have a better rank.
    pub better: [f32; N],
    /// The smallest number of cards that an opponent holds.
    pub least: f32,
    /// Cards neither in hand nor played.
    unseen: RankCounts<N>,
    /// Number of cards of each opponent still in, by ascending position.
    others: [u8; OTHERS],
    /// Passes of each opponent by set size: the strength they passed on, plus one; 0 without a pass.
    passed_on: [[u8; REMEMBERED_SIZES]; OTHERS],
    /// One bit for each opponent who has passed in this trick.
    passed: u16,
    /// Whether others may answer a set with one of the same rank.
    equals: bool,
    /// Number of opponents still in.
    rivals: usize,
    /// Size of the set on the table; 0 if the player leads.
    trick_size: usize,
    /// The rank of a set of wild cards only.
    lone: WildRank,
    /// One bit for each set size whose odds are computed.
    known: u16,
    odds: [[Odds; N]; SIZES],
}

impl<const N: usize> Count<N> {
    /// Counts the cards that a situation leaves open.
    pub fn new(situation: &Situation<'_, N>) -> Self {
        let &Situation { trick, memory, position, lone, .. } = situation;
        let mut unseen = *situation.deck;
        unseen.remove(situation.hand);
        unseen.remove(&memory.gone);
        let mut count = Self {
            better: [0.0; N],
            least: 1.0,
            unseen,
            others: [0; OTHERS],
            passed_on: [[0; REMEMBERED_SIZES]; OTHERS],
            passed: 0,
            equals: situation.trick_rules.equals() != 0,
            rivals: 0,
            trick_size: usize::from(trick.size),
            lone,
            known: 0,
            odds: [[Odds { stands: 1.0, chances: 0.0 }; N]; SIZES],
        };
        let all = unseen.total().max(1) as f32;
        let mut sum = if lone == WildRank::Any { f32::from(unseen.0[N - 1]) } else { 0.0 };
        for (better, &n) in count.better.iter_mut().zip(&unseen.0) {
            *better = sum / all;
            sum += f32::from(n);
        }
        let mut least = u8::MAX;
        for other in trick.still_in.without(position).iter() {
            let (i, held) = (count.rivals, situation.held[usize::from(other)]);
            least = least.min(held);
            count.others[i] = held;
            count.passed_on[i] = memory.passed_on[usize::from(other)];
            count.passed |= u16::from(trick.passed.has(other)) << i;
            count.rivals += 1;
        }
        count.least = f32::from(least.max(1));
        count
    }

    /// The odds of a set of `size` cards of `rank`. `size` is 1 to 14.
    #[inline]
    pub fn set(&mut self, rank: usize, size: usize) -> Odds {
        if self.known >> size & 1 == 0 {
            self.known |= 1 << size;
            self.work_out(size);
        }
        self.odds[size][rank]
    }

    /// Probability that no other player tops a set of `size` cards of `rank`.
    #[inline]
    pub fn stands(&mut self, rank: usize, size: usize) -> f32 {
        self.set(rank, size).stands
    }

    fn work_out(&mut self, size: usize) {
        let wild = N - 1;
        let (mut able, mut cards, mut all) = (0, 0, 0);
        let (mut open, mut dangers) = (0.0, None);
        for (i, &held) in self.others[..self.rivals].iter().enumerate() {
            all += u32::from(held);
            if usize::from(held) < size {
                continue;
            }
            able += 1;
            cards += u32::from(held);
            let passed_now = size == self.trick_size && self.passed >> i & 1 == 1;
            let passed_on = self.passed_on[i].get(size - 1).map_or(0, |&on| usize::from(on));
            if !passed_now && passed_on == 0 && dangers.is_none() {
                open += 1.0;
                continue;
            }
            // The opponent passed although a rank below this index would have topped the set.
            let weaker_from = if passed_on == 0 { 0 } else { N - passed_on };
            let doubted = if passed_now { PASSED_NOW } else { PASSED_BEFORE };
            let whole = if passed_now { PASSED_NOW } else { 1.0 };
            for (rank, danger) in dangers.get_or_insert([open; N]).iter_mut().enumerate() {
                *danger += if rank < weaker_from { doubted } else { whole };
            }
        }
        let dangers = dangers.unwrap_or([open; N]);
        if able == 0 {
            return;
        }
        let at_least = &AT_LEAST[((all * able + cards / 2) / cards).clamp(1, SHARES as u32) as usize];
        let (enough, more) = (&at_least[size], &at_least[size + 1]);
        let wilds = usize::from(self.unseen.0[wild]);
        let (mut stands, mut chances) = (1.0, 0.0);
        let odds = &mut self.odds[size];
        // Wild cards that take any rank count as the best rank, even if no natural card of it is left.
        let mut exists = self.lone == WildRank::Any;
        for (rank, odds) in odds[..wild].iter_mut().enumerate() {
            odds.stands = stands;
            let naturals = usize::from(self.unseen.0[rank]);
            if (naturals != 0 || exists) && naturals + wilds >= size {
                stands *= power(1.0 - enough[naturals + wilds], dangers[rank]);
            }
            if self.equals {
                odds.stands = stands;
            }
            exists = false;
        }
        if self.equals && self.lone == WildRank::Lowest && wilds >= size {
            stands *= power(1.0 - enough[wilds], dangers[wild]);
        }
        odds[wild].stands = stands;
        let lowest = if self.lone == WildRank::Any { wild } else { N };
        for rank in (0..lowest).rev() {
            odds[rank].chances = chances;
            let copies = usize::from(self.unseen.0[rank]);
            chances += (enough[copies] - more[copies]) * able as f32;
        }
    }
}

/// `base` to the power of `exponent` (0 or more), linear between whole exponents. Unlike `powf` it gives the same bits
/// on every machine.
fn power(base: f32, exponent: f32) -> f32 {
    let whole = exponent as u32;
    let product = (0..whole).fold(1.0, |product, _| product * base);
    product * (1.0 + (exponent - whole as f32) * (base - 1.0))
}
