//! Suits and single cards.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Cards in the deck: 7 to ace of four suits, and the six of hearts.
pub(crate) const CARDS: usize = 33;

/// A suit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// Spades.
    Spades,
    /// Hearts, with a six.
    Hearts,
    /// Diamonds.
    Diamonds,
    /// Clubs.
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
    pub(super) const fn base(self) -> i8 {
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
pub struct Card(pub(super) u8);

/// Suit and rank by card number.
pub(super) static FACES: [(Suit, u8); CARDS] = {
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

    /// The suit.
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
