//! Rank indices, and card notation: the names of the cards, best first, separated by spaces.

use std::borrow::Cow;
use std::fmt::Write;
use std::marker::PhantomData;

use cardsharp_engine::hands::RankCounts;
use cardsharp_engine::schema;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

// Rank indices: integers with a fixed upper bound, for the parameters of moves.

/// A number below `N`: a rank index in a deck of `N` ranks, or an index into a list.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Bounded<const N: usize>(u8);

impl<const N: usize> Bounded<N> {
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

    /// Returns the number as a `usize`, below `N`.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// The names of a deck of `N` ranks in views.
pub trait CardNames<const N: usize> {
    /// The valid names in words, for error messages.
    const NAMES: &'static str;
    /// The name of a rank index.
    fn name(rank: usize) -> &'static str;
}

/// Writes cards in card notation, such as `K 7 7`.
pub fn to_text<const N: usize>(cards: &RankCounts<N>, name: impl Fn(usize) -> &'static str) -> String {
    let mut text = String::new();
    for rank in cards.cards() {
        let gap = if text.is_empty() { "" } else { " " };
        // Writing to a String cannot fail.
        let _ = write!(text, "{gap}{}", name(rank));
    }
    text
}

/// Reads cards in card notation. Order and letter case do not matter.
///
/// # Errors
/// The word that names no card, and what was expected.
pub fn from_text<const N: usize>(
    text: &str,
    name: impl Fn(usize) -> &'static str,
    expected: &str,
) -> Result<RankCounts<N>, String> {
    let mut cards = RankCounts::NONE;
    for word in text.split_whitespace() {
        let rank = (0..N).find(|&rank| name(rank).eq_ignore_ascii_case(word));
        let rank = rank.ok_or_else(|| format!("`{word}` is not a card: expected {expected}"))?;
        cards.0[rank] = cards.0[rank].saturating_add(1);
    }
    Ok(cards)
}

/// Serde functions for cards in card notation, with the names of `D`: `#[serde(with = "CardNotation::<D>")]`.
pub struct CardNotation<D>(PhantomData<D>);

impl<D> CardNotation<D> {
    /// Writes cards in card notation, such as `K 7 7`.
    ///
    /// # Errors
    /// The errors of the serializer.
    pub fn serialize<const N: usize, S: Serializer>(
        cards: &RankCounts<N>,
        serializer: S,
    ) -> Result<S::Ok, S::Error>
    where
        D: CardNames<N>,
    {
        serializer.serialize_str(&to_text(cards, D::name))
    }

    /// Reads cards in card notation, such as `K 7 7`.
    ///
    /// # Errors
    /// A word names no card.
    pub fn deserialize<'de, const N: usize, S: Deserializer<'de>>(
        deserializer: S,
    ) -> Result<RankCounts<N>, S::Error>
    where
        D: CardNames<N>,
    {
        let text = String::deserialize(deserializer)?;
        from_text(&text, D::name, D::NAMES).map_err(serde::de::Error::custom)
    }
}

/// Cards as views contain them, in card notation.
pub struct CardsText<D, const N: usize>(pub RankCounts<N>, PhantomData<D>);

impl<D, const N: usize> From<RankCounts<N>> for CardsText<D, N> {
    fn from(cards: RankCounts<N>) -> Self {
        Self(cards, PhantomData)
    }
}

impl<D: CardNames<N>, const N: usize> Serialize for CardsText<D, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        CardNotation::<D>::serialize(&self.0, serializer)
    }
}

impl<'de, D: CardNames<N>, const N: usize> Deserialize<'de> for CardsText<D, N> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        CardNotation::<D>::deserialize(deserializer).map(Self::from)
    }
}

/// A rank index as views contain it, by its name.
pub struct RankText<D, const N: usize>(pub u8, PhantomData<D>);

impl<D, const N: usize> From<u8> for RankText<D, N> {
    fn from(rank: u8) -> Self {
        Self(rank, PhantomData)
    }
}

impl<D: CardNames<N>, const N: usize> Serialize for RankText<D, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(D::name(self.0.into()))
    }
}

impl<'de, D: CardNames<N>, const N: usize> Deserialize<'de> for RankText<D, N> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        let word = String::deserialize(deserializer)?;
        let rank = (0..N).find(|&rank| D::name(rank).eq_ignore_ascii_case(&word));
        let wrong = || serde::de::Error::custom(format!("`{word}` is not a card: expected {}", D::NAMES));
        rank.map(|rank| Self::from(rank as u8)).ok_or_else(wrong)
    }
}

impl<D: CardNames<N>, const N: usize> JsonSchema for CardsText<D, N> {
    fn schema_name() -> Cow<'static, str> {
        "Cards".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schema::cards((0..N).map(D::name))
    }
}

impl<D: CardNames<N>, const N: usize> JsonSchema for RankText<D, N> {
    fn schema_name() -> Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = (0..N).map(D::name).collect();
        json_schema!({ "description": "A card, or its rank, in card notation.", "enum": names })
    }
}
