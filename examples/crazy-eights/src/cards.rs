//! Cards, suits, and sets of cards written as text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub const SUITS: usize = 4;
pub const RANKS: usize = 13;
/// Faces, that is cards of one deck.
pub const FACES: usize = SUITS * RANKS;
/// Cards of both decks.
pub const CARDS: usize = 2 * FACES;

/// The cards of one deck, as bits.
const DECK: u64 = (1 << FACES) - 1;

/// A suit, in the order of the card numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// All suits, in the order of faces and actions.
    pub const ALL: [Self; SUITS] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// The suit's name in lower case.
    pub const fn name(self) -> &'static str {
        ["clubs", "diamonds", "hearts", "spades"][self as usize]
    }

    /// The faces of this suit, as bits.
    pub const fn faces(self) -> u64 {
        (DECK / 0b1111) << self as usize
    }
}

/// A rank, from the two (0) to the ace (12).
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(pub u8);

impl Rank {
    /// The two. With special cards, the next player owes two cards.
    pub const TWO: Self = Self(0);
    /// The eight, which may be laid on any card.
    pub const EIGHT: Self = Self(6);
    /// The lowest court card.
    pub const JACK: Self = Self(9);
    /// The queen. With special cards, it skips a player.
    pub const QUEEN: Self = Self(10);
    /// The ace. With special cards, it changes the direction.
    pub const ACE: Self = Self(12);

    /// The rank in card notation.
    pub const fn letter(self) -> char {
        ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'][self.0 as usize]
    }

    /// The faces of this rank, as bits.
    pub const fn faces(self) -> u64 {
        0b1111 << (SUITS * self.0 as usize)
    }
}

/// The rank and suit of a card: `4 · rank + suit`. Moves name faces.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Face(pub u8);

impl Face {
    pub const fn rank(self) -> Rank {
        Rank(self.0 / SUITS as u8)
    }

    pub const fn suit(self) -> Suit {
        Suit::ALL[self.0 as usize % SUITS]
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank().letter(), &self.suit().name()[..1])
    }
}

/// A card: 0 to 51 are the faces of the first deck, and 52 to 103 those of the second deck, if there are two.
/// As text it is `Th`, and in the second deck `Th'`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Card(pub u8);

impl Card {
    /// Its rank and suit.
    pub const fn face(self) -> Face {
        Face(self.0 % FACES as u8)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if usize::from(self.0) < FACES { "" } else { "'" };
        write!(f, "{}{mark}", self.face())
    }
}

impl FromStr for Card {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let card = (0..CARDS as u8).map(Card).find(|card| card.to_string() == text);
        card.ok_or_else(|| {
            format!("`{text}` is not a card: expected a rank (23456789TJQKA) and a suit (cdhs)")
        })
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A set of cards, one bit for each. In JSON it is text in card notation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Cards(u128);

impl Cards {
    pub const NONE: Self = Self(0);

    /// All cards of 1 or 2 decks.
    pub const fn decks(decks: u8) -> Self {
        Self((1 << (decks as usize * FACES)) - 1)
    }

    pub const fn one(card: Card) -> Self {
        Self(1 << card.0)
    }

    /// Whether the card is in the set.
    pub const fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn add(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    /// The cards of either set.
    pub const fn with(self, more: Self) -> Self {
        Self(self.0 | more.0)
    }

    /// The cards that are not in `less`.
    pub const fn without(self, less: Self) -> Self {
        Self(self.0 & !less.0)
    }

    /// The cards of both sets.
    pub const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The faces of the cards in the set, as bits.
    pub const fn faces(self) -> u64 {
        (self.0 as u64 | (self.0 >> FACES) as u64) & DECK
    }

    /// The faces that the set has twice, as bits.
    pub const fn twice(self) -> u64 {
        self.0 as u64 & (self.0 >> FACES) as u64 & DECK
    }

    /// The card with this face, which must be in the set. Of two cards, that of the first deck.
    pub const fn card(self, face: Face) -> Card {
        if self.has(Card(face.0)) { Card(face.0) } else { Card(face.0 + FACES as u8) }
    }

    /// The cards one by one, ascending.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let card = left.trailing_zeros() as u8;
            (left != 0).then(|| {
                left &= left - 1;
                Card(card)
            })
        })
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::NONE, |set, card| set.with(Self::one(card)))
    }
}

/// Writes cards in card notation, in this order.
pub fn to_text(cards: impl IntoIterator<Item = Card>) -> String {
    cards.into_iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ")
}

/// Reads a set of cards in card notation.
///
/// # Errors
/// A word is not a card, or a card appears twice.
pub fn from_text(text: &str) -> Result<Cards, String> {
    let mut cards = Cards::NONE;
    for word in text.split_whitespace() {
        let card = word.parse()?;
        if cards.has(card) {
            return Err(format!("`{card}` stands twice among the cards"));
        }
        cards.add(card);
    }
    Ok(cards)
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_text(self.iter()))
    }
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
