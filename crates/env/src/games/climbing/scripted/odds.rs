//! What the other players may hold: counted cards, and the odds that follow from them.

use super::super::REMEMBERED_SIZES;
use super::super::sets::MAX_SIZE;
use super::situation::{Lone, Situation};
use crate::ground::MAX_SEATS;
use crate::ground::hands::Counts;

/// Largest share the table has a row for: one card in this many.
const SHARES: usize = 12;
/// Sizes of sets, 0 included.
const SIZES: usize = MAX_SIZE + 1;
/// Seats other than the player's.
const OTHERS: usize = MAX_SEATS - 1;

/// How much of a player remains as a danger who passed in this trick (most keep passing) or on a
/// worse set of the same size earlier (most had nothing better, some kept it). Fits to The Great
/// Dalmuti hardly care: 0.1 to 0.7 for the first and 0.7 to 1.6 for the second explain the same share
/// of the outcomes within 0.0007 of 0.053.
const PASSED_NOW: f32 = 0.3;
const PASSED_BEFORE: f32 = 0.7;

/// `AT_LEAST[s][n][u]`: the probability that a player whose hand is one in `s` of the unseen cards
/// holds `n` or more of `u` copies, each copy being his with probability 1/s.
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
                // The last copy is his and n - 1 others are, or it is not and n others are.
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
    /// How many sets of its size that it would top the others are expected to hold.
    pub chances: f32,
}

impl Odds {
    /// From 1 (nothing to top will come) down to 0: five expected chances halve it. With weights
    /// fitted to the result the scale matters little.
    pub fn wait(self) -> f32 {
        1.0 / (1.0 + 0.2 * self.chances)
    }
}

/// What one player can work out about the others' cards.
pub struct Count<const N: usize> {
    /// By rank index, the share of the unseen cards that are of a better rank.
    pub better: [f32; N],
    /// Cards of the nearest rival to going out.
    pub least: f32,
    /// Cards neither in hand nor played.
    unseen: Counts<N>,
    /// Cards of the others still in, clockwise.
    others: [u8; OTHERS],
    /// Of each of them, by size, one more than the strength he passed on; 0 if he did not.
    passed_on: [[u8; REMEMBERED_SIZES]; OTHERS],
    /// Bit of each of them who has passed in this trick.
    passed: u16,
    /// Whether others may answer a set with one of the same rank.
    equals: bool,
    /// How many they are.
    rivals: usize,
    /// Size of the set on the table, 0 on a lead.
    trick_size: usize,
    /// What wild cards alone are.
    lone: Lone,
    /// Bit of each size whose odds are worked out.
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
            equals: situation.customs.equals() != 0,
            rivals: 0,
            trick_size: usize::from(trick.size),
            lone,
            known: 0,
            odds: [[Odds { stands: 1.0, chances: 0.0 }; N]; SIZES],
        };
        let all = unseen.total().max(1) as f32;
        let mut sum = if lone == Lone::Any { f32::from(unseen.0[N - 1]) } else { 0.0 };
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

    /// The odds of `size` cards of `rank`, 1 to 14 cards.
    #[inline]
    pub fn set(&mut self, rank: usize, size: usize) -> Odds {
        if self.known >> size & 1 == 0 {
            self.known |= 1 << size;
            self.work_out(size);
        }
        self.odds[size][rank]
    }

    /// Probability that nobody tops `size` cards of `rank`.
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
            // Ranks below this index would have topped what he passed on.
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
        // Wild cards that can be anything are the best rank even where none of it is left.
        let mut exists = self.lone == Lone::Any;
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
        if self.equals && self.lone == Lone::Lowest && wilds >= size {
            stands *= power(1.0 - enough[wilds], dangers[wild]);
        }
        odds[wild].stands = stands;
        let lowest = if self.lone == Lone::Any { wild } else { N };
        for rank in (0..lowest).rev() {
            odds[rank].chances = chances;
            let copies = usize::from(self.unseen.0[rank]);
            chances += (enough[copies] - more[copies]) * able as f32;
        }
    }
}

/// `base` to a power of 0 or more, linear between whole exponents: arithmetic that gives the same
/// bits on every machine, which `powf` does not promise.
fn power(base: f32, exponent: f32) -> f32 {
    let whole = exponent as u32;
    let product = (0..whole).fold(1.0, |product, _| product * base);
    product * (1.0 + (exponent - whole as f32) * (base - 1.0))
}
