//! Trump: the order of ranks and the card values that depend on it.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::card::{ACE, CARDS, Card, FACES, JACK, KING, QUEEN, Suit, TEN};
use super::cards::Cards;

/// The trump suit, or none.
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
    /// No trump.
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

    /// The cards of the trump suit; empty without trump.
    #[inline]
    pub const fn cards(self) -> Cards {
        Cards([0xFF, 0x1FF << 8, 0xFF << 17, 0xFF << 25, 0][self as usize])
    }

    /// The trump jack; empty without trump.
    #[inline]
    pub(crate) const fn jack(self) -> Cards {
        Cards([1 << 4, 1 << 13, 1 << 21, 1 << 29, 0][self as usize])
    }
}

/// Ranks of the trump suit from lowest to highest: 6 7 8 T Q K A 9 J.
const TRUMP_ORDER: [u8; 9] = [0, 1, 2, TEN, QUEEN, KING, ACE, 3, JACK];

/// For each card number, the cards of its suit that beat it if the suit is trump.
static ABOVE_TRUMP: [Cards; CARDS] = {
    let mut above = [Cards::NONE; CARDS];
    let mut number = 0;
    while number < CARDS {
        let (suit, rank) = FACES[number];
        let mut higher = 0;
        let mut place = 9;
        while place > 0 {
            place -= 1;
            if TRUMP_ORDER[place] == rank {
                break;
            }
            higher |= 1 << (suit.base() + TRUMP_ORDER[place] as i8);
        }
        above[number] = Cards(higher);
        number += 1;
    }
    above
};

/// Card values in plain suits, by rank.
const PLAIN_VALUES: [u8; 9] = [0, 0, 0, 0, 10, 1, 2, 3, 11];
/// Card values in the trump suit, by rank.
const TRUMP_VALUES: [u8; 9] = [0, 0, 0, 14, 10, 20, 2, 3, 11];

impl Card {
    /// The card's value in points with this trump.
    #[inline]
    pub fn value(self, trump: Trump) -> u8 {
        let (suit, rank) = FACES[self.number()];
        let values = if trump.is(suit) { &TRUMP_VALUES } else { &PLAIN_VALUES };
        values[usize::from(rank)]
    }

    /// The cards of its suit that beat this card.
    #[inline]
    pub fn above(self, trump: Trump) -> Cards {
        let suit = self.suit();
        if trump.is(suit) {
            ABOVE_TRUMP[self.number()]
        } else {
            Cards(suit.cards().0 & (u64::MAX << (self.0 + 1)))
        }
    }
}

impl Suit {
    /// Iterates over the suit's cards from highest to lowest.
    #[inline]
    pub fn descending(self, trump: Trump) -> impl Iterator<Item = Card> {
        let is_trump = trump.is(self);
        (0..=ACE).rev().filter_map(move |place| {
            Card::of(self, if is_trump { TRUMP_ORDER[usize::from(place)] } else { place })
        })
    }
}

impl Cards {
    /// The sum of the card values with this trump.
    pub fn value(self, trump: Trump) -> u8 {
        self.iter().map(|card| card.value(trump)).sum()
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

impl JsonSchema for Trump {
    fn schema_name() -> Cow<'static, str> {
        "Trump".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = Self::ALL.map(|trump| trump.to_string());
        json_schema!({ "description": "The suit that is trump, or none.", "enum": names })
    }
}

impl<'de> Deserialize<'de> for Trump {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || serde::de::Error::custom(format!("`{text}` is not S, H, D, C or none"));
        Self::ALL.into_iter().find(|trump| trump.to_string() == text).ok_or_else(wrong)
    }
}
