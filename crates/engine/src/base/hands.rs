//! Small containers for cards and players: counts per rank, sets of positions.

use serde::{Deserialize, Serialize};

/// The number of cards of each of `N` ranks. In JSON, a list of `N` numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct RankCounts<const N: usize>(pub [u8; N]);

impl<const N: usize> RankCounts<N> {
    /// A hand without any card.
    pub const NONE: Self = Self([0; N]);

    /// One card of rank index `rank`.
    pub fn one(rank: usize) -> Self {
        let mut counts = Self::NONE;
        counts.0[rank] = 1;
        counts
    }

    /// Returns the number of cards over all ranks.
    #[inline]
    pub fn total(&self) -> u32 {
        self.0.iter().map(|&n| u32::from(n)).sum()
    }

    /// Whether there are at least as many cards of every rank as in `part`.
    pub fn contains(&self, part: &Self) -> bool {
        self.0.iter().zip(&part.0).all(|(all, part)| all >= part)
    }

    /// Adds the cards of `more`.
    pub fn add(&mut self, more: &Self) {
        self.0.iter_mut().zip(&more.0).for_each(|(n, m)| *n += m);
    }

    /// Removes the cards of `less`, which must be contained.
    pub fn remove(&mut self, less: &Self) {
        self.0.iter_mut().zip(&less.0).for_each(|(n, l)| *n -= l);
    }

    /// Iterates over the cards as rank indices, ascending.
    pub fn cards(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(rank, &n)| std::iter::repeat_n(rank, usize::from(n)))
    }
}

impl<const N: usize> Default for RankCounts<N> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<const N: usize> Serialize for RankCounts<N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for RankCounts<N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::<u8>::deserialize(deserializer)?;
        let len = list.len();
        let counts = list.try_into();
        counts
            .map(Self)
            .map_err(|_| serde::de::Error::invalid_length(len, &format!("{N} counts, one per rank").as_str()))
    }
}

/// A set of positions (or seats) at a table, one bit each. In JSON, a list of their numbers.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
pub struct Positions(pub u16);

impl Positions {
    /// Returns the positions `0..n`.
    pub const fn first(n: u8) -> Self {
        Self(((1u32 << n) - 1) as u16)
    }

    /// Whether `position` is in the set.
    #[inline]
    pub const fn has(self, position: u8) -> bool {
        self.0 >> position & 1 == 1
    }

    /// Adds a position, 0 to 15.
    #[inline]
    pub fn insert(&mut self, position: u8) {
        self.0 |= 1 << position;
    }

    /// The set without `position`.
    #[inline]
    pub const fn without(self, position: u8) -> Self {
        Self(self.0 & !(1 << position))
    }

    /// The set with `position` added if `within`, and removed otherwise.
    #[inline]
    pub const fn with(self, position: u8, within: bool) -> Self {
        Self(self.without(position).0 | (within as u16) << position)
    }

    /// Whether every position of the set is in `other`.
    #[inline]
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns the number of positions in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first position of the set after `position`, clockwise around a table of any size: the
    /// next higher one, else the lowest. `position` itself comes last. The set must not be empty.
    #[inline]
    pub const fn next_after(self, position: u8) -> u8 {
        // Repeating the set above bit 15 lets the search wrap around without a branch.
        let twice = self.0 as u32 | (self.0 as u32) << 16;
        (position + 1 + (twice >> (position + 1)).trailing_zeros() as u8) & 15
    }

    /// The lowest position. The set must not be empty.
    pub const fn lowest(self) -> u8 {
        self.0.trailing_zeros() as u8
    }

    /// The positions in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..16).filter(move |&p| self.has(p))
    }
}

impl std::fmt::Debug for Positions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Positions {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Positions {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut set = Self::default();
        for number in Vec::<u8>::deserialize(deserializer)? {
            if number >= 16 || set.has(number) {
                let problem = if number >= 16 { "is beyond every table" } else { "occurs twice in a list" };
                return Err(serde::de::Error::custom(format!(
                    "{number} {problem}: expected different numbers below 16"
                )));
            }
            set.insert(number);
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::Positions;

    #[test]
    fn a_set_is_a_list_of_different_numbers() {
        let set = Positions(0b1000_0000_0010_0001);
        assert_eq!(serde_json::to_string(&set).expect("numbers"), "[0,5,15]");
        assert_eq!(serde_json::from_str::<Positions>("[15,0,5]").expect("a set"), set);
        assert_eq!(format!("{set:?}"), "[0, 5, 15]");
        for (text, problem) in
            [("[3,3]", "3 occurs twice"), ("[16]", "16 is beyond"), ("33", "expected a sequence")]
        {
            let error = serde_json::from_str::<Positions>(text).expect_err(text).to_string();
            assert!(error.contains(problem), "{error}");
        }
    }

    #[test]
    fn the_next_position_is_the_first_one_clockwise() {
        for set in (1..=u16::MAX).map(Positions) {
            for position in 0..16 {
                let next = (1..=16).map(|steps| (position + steps) % 16).find(|&p| set.has(p));
                assert_eq!(Some(set.next_after(position)), next, "{set:?} after {position}");
            }
        }
    }
}
