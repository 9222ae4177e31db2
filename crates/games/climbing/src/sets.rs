//! Sets as bits. A set of `n` natural cards of one rank and `w` wild cards has bit `3·(n − 1) + w` (`n ≥ 1`, `w ≤ 2`).
//! An encoding shifts the bits of a rank to the first action id of that rank.

use std::fmt;

use cardsharp_engine::hands::RankCounts;

/// Largest number of natural cards of one rank.
pub const MAX_NATURALS: usize = 12;
/// Largest number of wild cards in a deck.
pub const MAX_WILDS: usize = 2;
/// Largest number of cards in a set.
pub const MAX_SIZE: usize = MAX_NATURALS + MAX_WILDS;

/// A set of cards to play, from a deck of `N` ranks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// Rank index: the declared rank if there is a choice, and `N - 1` for wild cards as the lowest rank.
    pub rank: u8,
    /// Number of natural cards.
    pub naturals: u8,
    /// Number of wild cards.
    pub wilds: u8,
}

impl Set {
    /// Returns the number of cards, wild cards included.
    pub const fn size(self) -> u8 {
        self.naturals + self.wilds
    }

    /// The strength of the set: `N - 1` for the highest rank, down to 0 for wild cards as the lowest rank.
    pub const fn strength<const N: usize>(self) -> u8 {
        (N - 1) as u8 - self.rank
    }

    /// Writes the set as players type it, such as `8x2` or `8+J`. `name` is the name of its rank, and `wilds` has the
    /// signs of two wild cards, such as `JJ`.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write(self, name: &str, wilds: &str, f: &mut impl fmt::Write) -> fmt::Result {
        match (self.naturals, &wilds[..usize::from(self.wilds)]) {
            (0, wilds) => f.write_str(wilds),
            (1, "") => f.write_str(name),
            (1, wilds) => write!(f, "{name}+{wilds}"),
            (n, "") => write!(f, "{name}x{n}"),
            (n, wilds) => write!(f, "{name}x{n}+{wilds}"),
        }
    }
}

/// The bit of a set of these numbers of cards.
pub const fn bit(naturals: u8, wilds: u8) -> usize {
    3 * (naturals as usize - 1) + wilds as usize
}

/// The numbers of natural and wild cards of the set with this bit.
pub const fn of_bit(bit: usize) -> (u8, u8) {
    ((bit / 3) as u8 + 1, (bit % 3) as u8)
}

const fn lead_table() -> [[u64; MAX_NATURALS + 1]; MAX_WILDS + 1] {
    let mut table = [[0; MAX_NATURALS + 1]; MAX_WILDS + 1];
    let mut wilds = 0;
    while wilds <= MAX_WILDS {
        let mut held = 1;
        while held <= MAX_NATURALS {
            let mut w = 0;
            table[wilds][held] = table[wilds][held - 1];
            while w <= wilds {
                table[wilds][held] |= 1 << bit(held as u8, w as u8);
                w += 1;
            }
            held += 1;
        }
        wilds += 1;
    }
    table
}

const fn follow_table() -> [[[u64; MAX_NATURALS + 1]; MAX_WILDS + 1]; MAX_SIZE + 1] {
    let mut table = [[[0; MAX_NATURALS + 1]; MAX_WILDS + 1]; MAX_SIZE + 1];
    let mut size = 1;
    while size <= MAX_SIZE {
        let mut wilds = 0;
        while wilds <= MAX_WILDS {
            let mut held = 1;
            while held <= MAX_NATURALS {
                let mut w = 0;
                while w <= wilds && w < size {
                    if size - w <= held {
                        table[size][wilds][held] |= 1 << bit((size - w) as u8, w as u8);
                    }
                    w += 1;
                }
                held += 1;
            }
            wilds += 1;
        }
        size += 1;
    }
    table
}

static LEADS: [[u64; MAX_NATURALS + 1]; MAX_WILDS + 1] = lead_table();
static FOLLOWS: [[[u64; MAX_NATURALS + 1]; MAX_WILDS + 1]; MAX_SIZE + 1] = follow_table();

/// The sets of one rank that can be led with `wilds` wild cards, as bits. The index is the number of natural cards
/// held.
#[inline]
pub fn leads(wilds: u8) -> &'static [u64; MAX_NATURALS + 1] {
    &LEADS[usize::from(wilds)]
}

/// The sets of one rank with exactly `size` cards, as bits. The index is the number of natural cards held.
#[inline]
pub fn of_size(size: u8, wilds: u8) -> &'static [u64; MAX_NATURALS + 1] {
    &FOLLOWS[usize::from(size)][usize::from(wilds)]
}

/// The rank indices with at least `least` cards (1 to 64), one bit each.
///
/// Compares eight counts at a time as the bytes of a word: hands have many ranks, and few of them qualify.
#[inline]
pub fn holding<const N: usize>(cards: &RankCounts<N>, least: u8) -> u32 {
    let mut ranks = 0;
    let mut start = 0;
    while start < N {
        // The last word starts early enough to be complete.
        let first = if start + 8 <= N { start } else { N - 8 };
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&cards.0[first..first + 8]);
        let enough = (u64::from_le_bytes(bytes) + EACH * u64::from(128 - least)) & (EACH << 7);
        // Collects the highest bit of each byte in one byte.
        ranks |= (((enough >> 7).wrapping_mul(GATHER) >> 56) as u32) << first;
        start += 8;
    }
    ranks
}

/// A one in each byte.
const EACH: u64 = 0x0101_0101_0101_0101;
/// Multiplication by this moves bit 0 of byte `i` to bit `56 + i`.
const GATHER: u64 = 0x0102_0408_1020_4080;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holding_agrees_with_the_words() {
        let mut draw = cardsharp_engine::rng::Draw::new(3, 0);
        for _ in 0..2_000 {
            let cards = RankCounts::<19>(std::array::from_fn(|_| draw.below(15) as u8));
            let few = RankCounts::<13>(std::array::from_fn(|_| draw.below(4) as u8));
            for least in 1..=14 {
                let bits = |cards: &[u8]| {
                    (0..cards.len()).filter(|&r| cards[r] >= least).map(|r| 1 << r).sum::<u32>()
                };
                assert_eq!(holding(&cards, least), bits(&cards.0));
                assert_eq!(holding(&few, least), bits(&few.0));
            }
        }
    }

    #[test]
    fn tables_agree_with_the_words() {
        for wilds in 0..=MAX_WILDS as u8 {
            for held in 0..=MAX_NATURALS as u8 {
                for b in 0..3 * MAX_NATURALS {
                    let (n, w) = of_bit(b);
                    let can = n <= held && w <= wilds;
                    assert_eq!(leads(wilds)[usize::from(held)] >> b & 1 == 1, can);
                    for size in 1..=MAX_SIZE as u8 {
                        let fits = can && n + w == size;
                        assert_eq!(of_size(size, wilds)[usize::from(held)] >> b & 1 == 1, fits);
                    }
                }
            }
        }
    }
}
