//! Ranks, as moves name them.

/// A rank index of a deck of `N` ranks: 0 is the best, the last one that of the wild cards.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Rank<const N: usize>(u8);

impl<const N: usize> Rank<N> {
    /// That of the wild cards.
    pub const WILD: Self = Self(N as u8 - 1);

    /// The rank with this index, if decks have it.
    pub const fn new(index: usize) -> Option<Self> {
        if index < N { Some(Self(index as u8)) } else { None }
    }

    /// All ranks, the best first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..N as u8).map(Self)
    }

    /// Its index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
