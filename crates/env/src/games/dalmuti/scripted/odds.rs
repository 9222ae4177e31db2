//! What the other players may hold: counted cards, and the odds that follow from them.

use super::super::View;
use super::super::deck::{Cards, JESTER, RANKS};
use crate::game::MAX_SEATS;
use crate::games::climbing::REMEMBERED_SIZES;
use crate::games::climbing::sets::MAX_SIZE;

/// Largest share the table has a row for: one card in this many.
const SHARES: usize = 12;
/// Sizes of sets, 0 included.
const SIZES: usize = MAX_SIZE + 1;
/// Seats other than the viewer.
const OTHERS: usize = MAX_SEATS - 1;

/// How much of a player remains as a danger who passed in this trick (most keep passing) or on a
/// worse set of the same size earlier (most had nothing better, some kept it). The fit hardly cares:
/// 0.1 to 0.7 for the first and 0.7 to 1.6 for the second explain the same share of the outcomes
/// within 0.0007 of 0.053.
const PASSED_NOW: f32 = 0.3;
const PASSED_BEFORE: f32 = 0.7;

/// `AT_LEAST[s][u][n]`: the probability that a player whose hand is one in `s` of the unseen cards
/// holds `n` or more of `u` copies, each copy being his with probability 1/s.
static AT_LEAST: [[[f32; SIZES + 1]; SIZES]; SHARES + 1] = {
    let mut table = [[[0.0; SIZES + 1]; SIZES]; SHARES + 1];
    let mut s = 1;
    while s <= SHARES {
        let share = 1.0 / s as f32;
        let mut u = 0;
        while u < SIZES {
            table[s][u][0] = 1.0;
            let mut n = 1;
            while n <= u {
                // The last copy is his and n - 1 others are, or it is not and n others are.
                table[s][u][n] = share * table[s][u - 1][n - 1] + (1.0 - share) * table[s][u - 1][n];
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
    /// Probability that no other player can (and will) top it.
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
pub struct Count {
    /// By rank index, the share of the unseen cards that are of a better rank.
    pub better: [f32; RANKS],
    /// Cards of the nearest rival to going out.
    pub least: f32,
    /// Cards neither in hand nor played.
    unseen: Cards,
    /// Cards of the others still in, clockwise.
    others: [u8; OTHERS],
    /// Of each of them, by size, one more than the strength he passed on; 0 if he did not.
    passed_on: [[u8; REMEMBERED_SIZES]; OTHERS],
    /// Bit of each of them who has passed in this trick.
    passed: u16,
    /// How many they are.
    rivals: usize,
    /// Size of the set on the table, 0 on a lead.
    trick_size: usize,
    /// Bit of each size whose odds are worked out.
    known: u16,
    odds: [[Odds; RANKS]; SIZES],
}

impl Count {
    /// Counts the cards that `view` leaves open.
    pub fn new(view: View<'_>) -> Self {
        let table = view.table;
        let mut unseen = table.deck;
        unseen.remove(&view.own.hand);
        unseen.remove(&table.memory.gone);
        let mut count = Self {
            better: [0.0; RANKS],
            least: 1.0,
            unseen,
            others: [0; OTHERS],
            passed_on: [[0; REMEMBERED_SIZES]; OTHERS],
            passed: 0,
            rivals: 0,
            trick_size: usize::from(table.trick.size),
            known: 0,
            odds: [[Odds { stands: 1.0, chances: 0.0 }; RANKS]; SIZES],
        };
        let all = unseen.total().max(1) as f32;
        let mut sum = 0.0;
        for (better, &n) in count.better.iter_mut().zip(&unseen.0) {
            *better = sum / all;
            sum += f32::from(n);
        }
        let me = table.position[view.seat.index()];
        let mut least = u8::MAX;
        for position in table.trick.still_in.without(me).iter() {
            let (i, held) = (count.rivals, table.held(position));
            least = least.min(held);
            count.others[i] = held;
            count.passed_on[i] = table.memory.passed_on[usize::from(position)];
            count.passed |= u16::from(table.trick.passed.has(position)) << i;
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
        let mut dangers = [0.0f32; RANKS];
        let (mut able, mut cards, mut all) = (0, 0, 0);
        for (i, &held) in self.others[..self.rivals].iter().enumerate() {
            all += u32::from(held);
            if usize::from(held) < size {
                continue;
            }
            able += 1;
            cards += u32::from(held);
            let passed_now = size == self.trick_size && self.passed >> i & 1 == 1;
            let passed_on = self.passed_on[i].get(size - 1).map_or(0, |&on| usize::from(on));
            // Ranks below this index would have topped what he passed on.
            let weaker_from = if passed_on == 0 { 0 } else { RANKS - passed_on };
            let doubted = if passed_now { PASSED_NOW } else { PASSED_BEFORE };
            let open = if passed_now { PASSED_NOW } else { 1.0 };
            for (rank, danger) in dangers.iter_mut().enumerate() {
                *danger += if rank < weaker_from { doubted } else { open };
            }
        }
        if able == 0 {
            return;
        }
        let at_least = &AT_LEAST[((all * able + cards / 2) / cards).clamp(1, SHARES as u32) as usize];
        let jesters = usize::from(self.unseen.0[JESTER]);
        let (mut stands, mut chances) = (1.0, 0.0);
        let odds = &mut self.odds[size];
        for rank in 0..RANKS {
            odds[rank].stands = stands;
            let naturals = usize::from(self.unseen.0[rank]);
            if rank < JESTER && naturals != 0 && naturals + jesters >= size {
                stands *= power(1.0 - at_least[naturals + jesters][size], dangers[rank]);
            }
        }
        for rank in (0..RANKS).rev() {
            odds[rank].chances = chances;
            let copies = usize::from(self.unseen.0[rank]);
            chances += (at_least[copies][size] - at_least[copies][size + 1]) * able as f32;
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
