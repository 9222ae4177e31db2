//! Sets of cards.

use std::borrow::Cow;
use std::fmt;

use cardsharp_engine::schema;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::card::{CARDS, Card, Suit};

/// A set of cards, one bit for each card number. In text, its cards in ascending order of their numbers.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash)]
pub struct Cards(pub(crate) u64);

impl Suit {
    /// The cards of this suit.
    #[inline]
    pub const fn cards(self) -> Cards {
        Cards([0xFF, 0x1FF << 8, 0xFF << 17, 0xFF << 25][self as usize])
    }
}

impl Cards {
    /// No cards.
    pub const NONE: Self = Self(0);
    /// The whole deck.
    pub const ALL: Self = Self((1 << CARDS) - 1);

    /// One card.
    #[inline]
    pub const fn one(card: Card) -> Self {
        Self(1 << card.0)
    }

    /// Number of cards.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether `card` is in the set.
    #[inline]
    pub const fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Returns whether the sets have a card in common.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The cards in both sets.
    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The cards in either set.
    #[inline]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The cards of this set that are not in `other`.
    #[inline]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set with one more card.
    #[inline]
    pub const fn with(self, card: Card) -> Self {
        Self(self.0 | 1 << card.0)
    }

    /// The set without this card.
    #[inline]
    pub const fn without(self, card: Card) -> Self {
        Self(self.0 & !(1 << card.0))
    }

    /// Adds a card.
    #[inline]
    pub fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    /// Removes a card.
    #[inline]
    pub fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    /// Returns the card with the lowest number, if any.
    #[inline]
    pub fn first(self) -> Option<Card> {
        if self.0 == 0 { None } else { Card::new(self.0.trailing_zeros() as u8) }
    }

    /// Iterates over the cards in ascending order of their numbers.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let card = Card::new(left.trailing_zeros() as u8).filter(|_| left != 0)?;
            left &= left - 1;
            Some(card)
        })
    }

    /// Returns the ranks that the set has in a suit, as bits: bit 0 is a six, bit 8 an ace.
    #[inline]
    pub(crate) const fn ranks(self, suit: Suit) -> usize {
        let cards = self.0 & suit.cards().0;
        (match suit {
            Suit::Spades => cards << 1,
            Suit::Hearts => cards >> 8,
            Suit::Diamonds => cards >> 16,
            Suit::Clubs => cards >> 24,
        }) as usize
    }

    /// All cards of a rank, 0 (the six) to 8 (the aces).
    pub(crate) const fn of_rank(rank: u8) -> Self {
        let mut cards = 0;
        let mut suit = 0;
        while suit < 4 {
            if let Some(card) = Card::of(Suit::ALL[suit], rank) {
                cards |= 1 << card.0;
            }
            suit += 1;
        }
        Self(cards)
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.iter().enumerate() {
            write!(f, "{}{card}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

impl std::str::FromStr for Cards {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut cards = Self::NONE;
        for name in text.split_whitespace() {
            let card: Card = name.parse()?;
            if cards.has(card) {
                return Err(format!("{card} occurs twice in `{text}`"));
            }
            cards.insert(card);
        }
        Ok(cards)
    }
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Cards {
    fn schema_name() -> Cow<'static, str> {
        "Cards".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<String> = Self::ALL.iter().map(|card| card.to_string()).collect();
        schema::cards(names.iter().map(String::as_str))
    }
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
