//! Action masks as 64-bit words.

use crate::base::ActionId;
use crate::base::rng::Draw;

/// A set of action ids, one bit each, id 0 in the lowest bit of word 0.
pub trait Mask: Copy + PartialEq + std::fmt::Debug + Send + Sync {
    /// Number of 64-bit words.
    const WORDS: usize;
    /// The words, `WORDS` of them.
    fn words(&self) -> &[u64];

    /// Number of actions in the set.
    fn count(&self) -> usize {
        self.words().iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether `action` is in the set; false for ids beyond the mask.
    fn contains(&self, action: ActionId) -> bool {
        contains(self.words(), action)
    }

    /// A uniformly random action of the set; `None` if it is empty.
    fn random(&self, draw: &mut Draw) -> Option<ActionId> {
        let count = count(self.words());
        if count == 0 { None } else { nth(self.words(), draw.below(count)) }
    }
}

/// Packs flags into bits, the first one in bit 0; at most 32.
pub fn flags<const N: usize>(flags: [bool; N]) -> u32 {
    const { assert!(N <= 32) };
    flags.into_iter().enumerate().fold(0, |bits, (place, flag)| bits | u32::from(flag) << place)
}

/// A mask of `W` words.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Words<const W: usize>(pub [u64; W]);

impl<const W: usize> Words<W> {
    /// The set without any action.
    pub const EMPTY: Self = Self([0; W]);

    /// Adds the action with this id.
    #[inline]
    pub fn insert(&mut self, id: usize) {
        self.0[id >> 6] |= 1 << (id & 63);
    }

    /// Adds the actions of the low 64 bits of `bits`, shifted up by `id`.
    #[inline]
    pub fn insert_run(&mut self, id: usize, bits: u64) {
        let (word, shift) = (id >> 6, id & 63);
        self.0[word] |= bits << shift;
        if shift != 0 && word + 1 < W {
            self.0[word + 1] |= bits >> (64 - shift);
        }
    }
}

impl<const W: usize> Mask for Words<W> {
    const WORDS: usize = W;
    fn words(&self) -> &[u64] {
        &self.0
    }
}

/// Unpacks the first `flags.len()` bits of a mask into flags.
pub fn write_flags(words: &[u64], flags: &mut [bool]) {
    const BYTES: [[bool; 8]; 256] = {
        let mut bytes = [[false; 8]; 256];
        let mut at = 0;
        while at < 256 * 8 {
            bytes[at / 8][at % 8] = ((at / 8) >> (at % 8)) & 1 == 1;
            at += 1;
        }
        bytes
    };
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    for (flags, byte) in flags.chunks_mut(8).zip(bytes) {
        flags.copy_from_slice(&BYTES[usize::from(byte)][..flags.len()]);
    }
}

/// Whether the bit of `action` is set; false for ids beyond the words.
pub fn contains(words: &[u64], action: ActionId) -> bool {
    let id = usize::from(action.0);
    words.get(id >> 6).is_some_and(|w| w >> (id & 63) & 1 == 1)
}

/// The indices of the bits that are set, ascending.
#[inline]
pub fn bits(mut word: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit as usize
        })
    })
}

/// The actions of a mask in ascending order.
pub fn actions(words: &[u64]) -> impl Iterator<Item = ActionId> + '_ {
    words.iter().enumerate().flat_map(|(i, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = left.trailing_zeros();
                left &= left - 1;
                ActionId((i as u32 * 64 + bit) as u16)
            })
        })
    })
}

/// The `n`-th (from 0) action of a mask in ascending order; `None` if there are fewer.
#[inline]
pub fn nth(words: &[u64], mut n: u32) -> Option<ActionId> {
    for (i, &word) in words.iter().enumerate() {
        let here = word.count_ones();
        if n < here {
            let mut left = word;
            for _ in 0..n {
                left &= left - 1;
            }
            return Some(ActionId((i as u32 * 64 + left.trailing_zeros()) as u16));
        }
        n -= here;
    }
    None
}

/// Number of actions in a mask.
#[inline]
pub fn count(words: &[u64]) -> u32 {
    words.iter().map(|w| w.count_ones()).sum()
}

/// The only action of a mask; `None` if there are several or none.
#[inline]
pub fn single(words: &[u64]) -> Option<ActionId> {
    let mut found = None;
    for (i, &word) in words.iter().enumerate() {
        if word == 0 {
            continue;
        }
        if found.is_some() || word & (word - 1) != 0 {
            return None;
        }
        found = Some(ActionId((i as u32 * 64 + word.trailing_zeros()) as u16));
    }
    found
}
