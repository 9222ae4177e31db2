//! The 33 cards: suits, ranks, sets of cards, values, and the order of ranks in plain suits and in trump.

use std::borrow::Cow;
use std::fmt;

use cardsharp_engine::schema;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

// Suits and single cards.

/// Cards in the deck: 7 to ace of four suits, and the six of hearts.
pub(crate) const CARDS: usize = 33;

/// A suit, in the order of the card numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// Spades, without a six.
    Spades,
    /// Hearts, with a six.
    Hearts,
    /// Diamonds, without a six.
    Diamonds,
    /// Clubs, without a six.
    Clubs,
}

impl Suit {
    /// All suits, in the order of the card numbers.
    pub const ALL: [Self; 4] = [Self::Spades, Self::Hearts, Self::Diamonds, Self::Clubs];

    /// The letter in card notation.
    pub const fn letter(self) -> char {
        ['S', 'H', 'D', 'C'][self as usize]
    }

    /// Returns the card number that rank 0 (a six) of this suit has, or would have.
    const fn base(self) -> i8 {
        [-1, 8, 16, 24][self as usize]
    }
}

/// Letters of the ranks 0 to 8, in natural order.
const RANKS: [char; 9] = ['6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'];
/// Rank of the jacks.
pub(crate) const JACK: u8 = 5;
/// Rank of the queens.
pub(crate) const QUEEN: u8 = 6;
/// Rank of the kings.
pub(crate) const KING: u8 = 7;
/// Rank of the aces.
pub(crate) const ACE: u8 = 8;
/// Rank of the tens.
pub(crate) const TEN: u8 = 4;

/// A card. Numbers: S7..SA 0 to 7, H6..HA 8 to 16, D7..DA 17 to 24, C7..CA 25 to 32. In text suit and rank,
/// as in `HJ`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// Suit and rank by card number.
static FACES: [(Suit, u8); CARDS] = {
    let mut faces = [(Suit::Spades, 0); CARDS];
    let mut suit = 0;
    while suit < 4 {
        let mut rank = 0;
        while rank < 9 {
            if rank > 0 || suit == 1 {
                let number = Suit::ALL[suit].base() + rank;
                faces[number as usize] = (Suit::ALL[suit], rank as u8);
            }
            rank += 1;
        }
        suit += 1;
    }
    faces
};

impl Card {
    /// The seven of spades, number 0.
    pub(crate) const FIRST: Self = Self(0);

    /// Returns the card with this number, 0 to 32.
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < CARDS { Some(Self(number)) } else { None }
    }

    /// Returns the card with this suit and rank, 0 (a six) to 8 (an ace). The only six is that of hearts.
    pub const fn of(suit: Suit, rank: u8) -> Option<Self> {
        if rank > ACE || rank == 0 && suit as u8 != Suit::Hearts as u8 {
            return None;
        }
        Some(Self((suit.base() + rank as i8) as u8))
    }

    /// The card number, 0 to 32.
    #[inline]
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// Returns the suit of the card.
    #[inline]
    pub fn suit(self) -> Suit {
        FACES[self.number()].0
    }

    /// The rank in natural order, 0 (the six) to 8 (an ace).
    #[inline]
    pub fn rank(self) -> u8 {
        FACES[self.number()].1
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.suit().letter(), RANKS[usize::from(self.rank())])
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Card {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut letters = text.chars();
        let suit = letters.next();
        let rank = letters.next().and_then(|letter| RANKS.iter().position(|&rank| rank == letter));
        let is = |card: &Self| Some(card.suit().letter()) == suit && Some(card.rank().into()) == rank;
        let found = (0..CARDS as u8).map(Self).find(is).filter(|_| letters.next().is_none());
        found.ok_or_else(|| {
            format!("`{text}` is not a card: expected a suit (S H D C) and a rank (6 to 9 T J Q K A)")
        })
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Card {
    fn schema_name() -> Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<String> = (0..CARDS as u8).map(|number| Self(number).to_string()).collect();
        json_schema!({ "description": "A card in card notation.", "enum": names })
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

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
    /// The set without any card.
    pub const NONE: Self = Self(0);
    /// All cards of the deck.
    pub const ALL: Self = Self((1 << CARDS) - 1);

    /// Returns the set with one card.
    #[inline]
    pub const fn one(card: Card) -> Self {
        Self(1 << card.0)
    }

    /// Returns the number of cards.
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

    /// Adds a card to the set.
    #[inline]
    pub fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    /// Removes a card from the set.
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

// Trump: the order of ranks and the card values that depend on it.

/// The trump suit, or none.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are those of the suits")]
pub enum Trump {
    Spades,
    Hearts,
    Diamonds,
    Clubs,
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
