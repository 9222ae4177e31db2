//! The cards: jack, queen and king of one suit or two.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Number of ranks: jack, queen and king.
pub const RANKS: usize = 3;
/// Number of suits of the larger deck.
const SUITS: usize = 2;
/// Cards of the larger deck.
const CARDS: usize = RANKS * SUITS;

const RANK_NAMES: [char; RANKS] = ['J', 'Q', 'K'];
const SUIT_NAMES: [char; SUITS] = ['s', 'h'];

/// A card. In text rank and suit: `Js`, `Qs`, `Ks`, `Jh`, `Qh`, `Kh`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    rank: u8,
    suit: u8,
}

impl Card {
    /// The rank: 0 for the jack, 1 for the queen, 2 for the king.
    pub const fn rank(self) -> usize {
        self.rank as usize
    }

    /// The suit: 0 for spades, 1 for hearts.
    pub const fn suit(self) -> u8 {
        self.suit
    }
}

/// Returns the value of a card at a showdown; higher is better. A pair with `board`, the card that was turned
/// up, beats any single card. Suits do not count.
pub fn worth(card: Card, board: Option<Card>) -> usize {
    let pair = board.is_some_and(|board| board.rank == card.rank);
    if pair { RANKS + card.rank() } else { card.rank() }
}

/// Cards of a deck, in any order.
#[derive(Copy, Clone, Debug)]
pub(super) struct Deck {
    /// Storage; the first `len` cards are valid.
    pub(super) cards: [Card; CARDS],
    len: usize,
}

impl Deck {
    pub(super) fn as_slice(&self) -> &[Card] {
        &self.cards[..self.len]
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [Card] {
        &mut self.cards[..self.len]
    }

    /// Removes a card if it is there. May change the order of the others.
    pub(super) fn remove(&mut self, card: Card) {
        if let Some(place) = self.as_slice().iter().position(|&other| other == card) {
            self.len -= 1;
            self.cards.swap(place, self.len);
        }
    }
}

/// Returns all cards of a deck with this number of suits.
pub(super) fn deck(suits: u8) -> Deck {
    let suits = usize::from(suits);
    let mut cards = [Card::default(); CARDS];
    for (i, card) in cards.iter_mut().take(RANKS * suits).enumerate() {
        *card = Card { rank: (i / suits) as u8, suit: (i % suits) as u8 };
    }
    Deck { cards, len: RANKS * suits }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", RANK_NAMES[self.rank()], SUIT_NAMES[usize::from(self.suit)])
    }
}

impl FromStr for Card {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = deck(SUITS as u8);
        let card = all.as_slice().iter().copied().find(|card| card.to_string() == text);
        card.ok_or_else(|| format!("`{text}` is not a card: expected one of Js, Qs, Ks, Jh, Qh, Kh"))
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
        let all = deck(SUITS as u8);
        let names: Vec<String> = all.as_slice().iter().map(|card| card.to_string()).collect();
        json_schema!({ "description": "A card: its rank and its suit.", "enum": names })
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
