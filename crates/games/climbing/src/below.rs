//! Integers with a fixed upper bound, for the parameters of moves.

/// A number below `N`: a rank index in a deck of `N` ranks, or an index into a list.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Below<const N: usize>(u8);

impl<const N: usize> Below<N> {
    /// The smallest number, 0.
    pub const FIRST: Self = Self(0);
    /// The largest number, `N - 1`. As a rank index it means the wild cards.
    pub const LAST: Self = Self(N as u8 - 1);

    /// Wraps `number`; `None` if it is not below `N`.
    pub const fn new(number: usize) -> Option<Self> {
        if number < N { Some(Self(number as u8)) } else { None }
    }

    /// All numbers below `N`, in ascending order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..N as u8).map(Self)
    }

    /// The number.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}
