//! Small numbers that moves carry.

/// A number below `N`: a rank index of a deck of `N` ranks, an entry of a list.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Below<const N: usize>(u8);

impl<const N: usize> Below<N> {
    /// 0.
    pub const FIRST: Self = Self(0);
    /// The last one: among ranks that of the wild cards.
    pub const LAST: Self = Self(N as u8 - 1);

    /// This number, if it is below `N`.
    pub const fn new(number: usize) -> Option<Self> {
        if number < N { Some(Self(number as u8)) } else { None }
    }

    /// All of them, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..N as u8).map(Self)
    }

    /// The number.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}
