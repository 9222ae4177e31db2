//! Trump.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Cards, Suit};

/// What is trump.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Trump {
    /// Spades.
    Spades,
    /// Hearts.
    Hearts,
    /// Diamonds.
    Diamonds,
    /// Clubs.
    Clubs,
    /// Nothing.
    None,
}

impl Trump {
    /// All choices, in the order of the actions.
    pub const ALL: [Self; 5] = [Self::Spades, Self::Hearts, Self::Diamonds, Self::Clubs, Self::None];

    /// The trump suit, if there is one.
    #[inline]
    pub const fn suit(self) -> Option<Suit> {
        match self {
            Self::None => None,
            named => Some(Suit::ALL[named as usize]),
        }
    }

    /// Whether `suit` is trump.
    #[inline]
    pub const fn is(self, suit: Suit) -> bool {
        self as u8 == suit as u8
    }

    /// The trumps.
    #[inline]
    pub const fn cards(self) -> Cards {
        Cards([0xFF, 0x1FF << 8, 0xFF << 17, 0xFF << 25, 0][self as usize])
    }

    /// The trump jack, if there is trump.
    #[inline]
    pub const fn jack(self) -> Cards {
        Cards([1 << 4, 1 << 13, 1 << 21, 1 << 29, 0][self as usize])
    }
}

impl From<Suit> for Trump {
    fn from(suit: Suit) -> Self {
        Self::ALL[suit as usize]
    }
}

impl fmt::Display for Trump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["S", "H", "D", "C", "none"][*self as usize])
    }
}

impl Serialize for Trump {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Trump {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || serde::de::Error::custom(format!("`{text}` is not S, H, D, C or none"));
        Self::ALL.into_iter().find(|trump| trump.to_string() == text).ok_or_else(wrong)
    }
}
