//! Card notation: the names of the cards, best first, separated by spaces.

use std::borrow::Cow;
use std::fmt::Write;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ground::hands::Counts;
use crate::ground::schema;

/// Cards whose ranks have names in views.
pub trait Named {
    /// The valid names in words, for error messages.
    const NAMES: &'static str;
    /// The name of a rank index.
    fn name(rank: usize) -> &'static str;
}

/// Writes cards in card notation, such as `K 7 7`.
pub fn to_text<const N: usize>(cards: &Counts<N>, name: impl Fn(usize) -> &'static str) -> String {
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
) -> Result<Counts<N>, String> {
    let mut cards = Counts::NONE;
    for word in text.split_whitespace() {
        let rank = (0..N).find(|&rank| name(rank).eq_ignore_ascii_case(word));
        let rank = rank.ok_or_else(|| format!("`{word}` is not a card: expected {expected}"))?;
        cards.0[rank] = cards.0[rank].saturating_add(1);
    }
    Ok(cards)
}

/// Serde functions for cards in card notation.
pub mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Named;
    use crate::ground::hands::Counts;

    /// Writes cards in card notation, such as `K 7 7`.
    ///
    /// # Errors
    /// The errors of the serializer.
    pub fn serialize<const N: usize, S: Serializer>(
        cards: &Counts<N>,
        serializer: S,
    ) -> Result<S::Ok, S::Error>
    where
        Counts<N>: Named,
    {
        serializer.serialize_str(&super::to_text(cards, <Counts<N>>::name))
    }

    /// Reads cards in card notation, such as `K 7 7`.
    ///
    /// # Errors
    /// A word names no card.
    pub fn deserialize<'de, const N: usize, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Counts<N>, D::Error>
    where
        Counts<N>: Named,
    {
        let text = String::deserialize(deserializer)?;
        super::from_text(&text, <Counts<N>>::name, <Counts<N>>::NAMES).map_err(serde::de::Error::custom)
    }
}

/// Cards as views contain them, in card notation.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub struct CardsText<const N: usize>(#[serde(with = "text")] pub Counts<N>)
where
    Counts<N>: Named;

/// A rank index as views contain it, by its name.
#[derive(Copy, Clone)]
pub struct RankText<const N: usize>(pub u8);

impl<const N: usize> Serialize for RankText<N>
where
    Counts<N>: Named,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(<Counts<N>>::name(self.0.into()))
    }
}

impl<'de, const N: usize> Deserialize<'de> for RankText<N>
where
    Counts<N>: Named,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let rank = (0..N).find(|&rank| <Counts<N>>::name(rank).eq_ignore_ascii_case(&word));
        let wrong =
            || serde::de::Error::custom(format!("`{word}` is not a card: expected {}", <Counts<N>>::NAMES));
        rank.map(|rank| Self(rank as u8)).ok_or_else(wrong)
    }
}

impl<const N: usize> JsonSchema for CardsText<N>
where
    Counts<N>: Named,
{
    fn schema_name() -> Cow<'static, str> {
        "Cards".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schema::cards((0..N).map(<Counts<N>>::name))
    }
}

impl<const N: usize> JsonSchema for RankText<N>
where
    Counts<N>: Named,
{
    fn schema_name() -> Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = (0..N).map(<Counts<N>>::name).collect();
        json_schema!({ "description": "A card, or its rank, in card notation.", "enum": names })
    }
}
