//! What a hand without jokers may do on a set: most decisions of most rounds.
//!
//! The mask is made as a whole, all words side by side and without a branch. Adding set after set takes a loop
//! whose end no processor guesses, and leaves words that were written one by one to be read as a block: both
//! take longer than all the arithmetic below.

use super::actions::{Legal, PASS, SETS_OF_RANK};
use super::deck::{COPIES, NATURALS};
use crate::games::climbing::sets;
use crate::ground::mask::{Mask as _, Words};

/// Words of the mask.
const WORDS: usize = Legal::WORDS;

/// Where the words of the mask find the sets of one size, one of each rank. Their ids are `SETS_OF_RANK` apart, the
/// highest rank's the highest, so that a word has three of them at most.
#[derive(Copy, Clone)]
struct Windows {
    /// How far the bits of the ranks, moved up by [`MARGIN`], move down to bring the lowest rank of the word to bit 2:
    /// the next higher two are then in bits 1 and 0.
    down: [u64; WORDS],
    /// In the low six bits the bit of the lowest rank's set; in the others what the word has besides, which is passing.
    /// Two numbers in one, because compilers treat words apart that they know never to have something, and then
    /// write them one by one.
    lowest: [u64; WORDS],
}

/// The bits of a word that say which bit of a word.
const PLACE: u64 = 63;

/// Room below the highest rank for the sets that the last words do not have.
const MARGIN: usize = 4;

/// By size; there is nothing to follow with size 0. No rank has more than [`COPIES`] cards, so bigger sets find no
/// rank that is held.
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

/// A set of `size` natural cards of each of `ranks`, rank indices as bits, or pass.
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
    use super::super::actions;
    use super::*;
    use crate::games::climbing::sets::Set;
    use crate::ground::mask::bits;

    /// The same, set by set.
    fn one_by_one(ranks: u32, size: u8) -> Legal {
        let mut legal = Legal::EMPTY;
        legal.insert(PASS.offset);
        for rank in bits(ranks) {
            let id = actions::play(Set { rank: rank as u8, naturals: size, wilds: 0 });
            legal.insert(usize::from(id.0));
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
