//! Legal answers of a hand without jokers: most decisions of most rounds.
//!
//! All words of the mask are computed in parallel, without branches. A loop that adds one set after another is slower
//! than all the arithmetic below. Its end is unpredictable, and it writes single words that are then read as a block.

use cardsharp_climbing::sets;
use cardsharp_engine::mask::{Mask as _, Words};

use super::actions::{PASS, SETS_OF_RANK};
use super::deck::{COPIES, NATURALS};

pub type Legal = Words<8>;

/// Number of words in the mask.
const WORDS: usize = Legal::WORDS;

/// Where each word of the mask has the sets of one size, one for each rank. Their ids are `SETS_OF_RANK` apart, with
/// the highest rank last, so a word has at most three of them.
#[derive(Copy, Clone)]
struct Windows {
    /// Right shift for the bits of the ranks, which are already shifted left by [`MARGIN`]. It moves the lowest rank of
    /// the word to bit 2, and the next two higher ranks to bits 1 and 0.
    down: [u64; WORDS],
    /// The low six bits hold the bit index of the lowest rank's set. The other bits hold the rest of the word, which is
    /// the pass.
    ///
    /// Both share one number for speed. Compilers treat words separately if they know that a word never has something,
    /// and then write the words one by one.
    lowest: [u64; WORDS],
}

/// Mask of the bits that hold a bit index within a word.
const PLACE: u64 = 63;

/// Number of zero bits below the highest rank, for ranks that the last words do not have.
const MARGIN: usize = 4;

/// The windows by set size. Entry 0 is unused. No rank has more than [`COPIES`] cards, so larger sizes have no sets.
static WINDOWS: [Windows; sets::MAX_SIZE + 1] = {
    let mut table = [Windows { down: [0; WORDS], lowest: [0; WORDS] }; sets::MAX_SIZE + 1];
    let pass = 1 << (PASS.offset % 64);
    assert!(pass & PLACE == 0);
    let mut size = 1;
    while size <= sets::MAX_SIZE {
        table[size].lowest[PASS.offset / 64] = pass;
        // The id of the set of the lowest rank.
        let id = 2 + sets::bit(size as u8, 0);
        let mut word = 0usize;
        while word < WORDS && size <= COPIES {
            let slot = (64 * word).saturating_sub(id).div_ceil(SETS_OF_RANK);
            table[size].down[word] = (NATURALS - 1 - 2 + MARGIN - slot) as u64;
            table[size].lowest[word] |= (SETS_OF_RANK * slot + id - 64 * word) as u64;
            word += 1;
        }
        size += 1;
    }
    table
};

/// The mask with one set of `size` natural cards for each rank index in the bit mask `ranks`, and the pass.
#[inline]
pub fn without_jokers(ranks: u32, size: u8) -> Legal {
    const APART: usize = SETS_OF_RANK;
    let Windows { down, lowest } = &WINDOWS[usize::from(size)];
    let ranks = u64::from(ranks) << MARGIN;
    Words(std::array::from_fn(|word| {
        let three = ranks >> down[word];
        let sets =
            (three >> 2 | three << (APART - 1) | three << (2 * APART)) & (1 | 1 << APART | 1 << (2 * APART));
        sets << (lowest[word] & PLACE) | lowest[word] & !PLACE
    }))
}

#[cfg(test)]
mod tests {
    use super::super::actions::{DeckSet, Move};
    use super::*;
    use cardsharp_climbing::Set;
    use cardsharp_engine::mask::bits;

    /// The same mask, built set by set.
    fn one_by_one(ranks: u32, size: u8) -> Legal {
        let mut legal = Legal::EMPTY;
        legal.insert(PASS.offset);
        for rank in bits(ranks) {
            let set = DeckSet::held(Set { rank: rank as u8, naturals: size, wilds: 0 });
            legal.insert(usize::from(Move::Play(set).id().0));
        }
        legal
    }

    #[test]
    fn all_words_at_once_are_the_sets_one_by_one() {
        for size in 1..=COPIES as u8 {
            for ranks in 0..1 << NATURALS {
                assert_eq!(without_jokers(ranks, size), one_by_one(ranks, size), "{size} of {ranks:b}");
            }
        }
    }

    #[test]
    fn of_more_cards_than_there_are_of_a_rank_there_is_no_set() {
        for size in COPIES + 1..=sets::MAX_SIZE {
            assert_eq!(without_jokers(0, size as u8), one_by_one(0, 1));
        }
    }
}
