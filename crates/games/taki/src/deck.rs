//! Cards: colors, symbols, the deck of 116, and sets of cards written as text.

use std::borrow::Cow;

use cardsharp_engine::schema;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Cards in the deck: two identical halves of 58 cards.
pub(super) const DECK: usize = 116;
/// Faces: the cards of one half of the deck.
pub(super) const FACES: usize = 58;
/// Different cards. One fewer than faces, because Change Color has two faces in each half.
pub(super) const KINDS: usize = 57;
/// Symbols that a colored card can have.
pub(super) const SYMBOLS: usize = 13;
/// Faces below this are colored.
pub(super) const COLORED: u8 = 52;

/// A card, as the number of its face: `13 · color + symbol` for colored cards, then the colorless ones. Both
/// Change Color cards of a half are [`CHANGE`]; the number after it is not a card.
pub type Card = u8;

/// Change Color; there are four in the deck, two of every other card.
pub const CHANGE: Card = 52;
/// Super TAKI, a TAKI of the color that its player names.
pub const SUPER: Card = 54;
/// King, which cancels everything.
pub const KING: Card = 55;
/// +3, for which all other players draw.
pub const PLUS3: Card = 56;
/// +3 Breaker, which turns a +3 on its player.
pub const BREAKER: Card = 57;

/// A color, in the order of the card numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Color {
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
}

impl Color {
    /// All colors, in the order of faces and actions.
    pub const ALL: [Self; 4] = [Self::Red, Self::Blue, Self::Green, Self::Yellow];

    /// The letter in card notation.
    pub const fn letter(self) -> char {
        ['R', 'B', 'G', 'Y'][self as usize]
    }

    /// The faces of this color, as bits.
    #[inline]
    pub const fn faces(self) -> u64 {
        ((1 << SYMBOLS) - 1) << (SYMBOLS * self as usize)
    }

    /// The lowercase English name of the color.
    pub const fn name(self) -> &'static str {
        ["red", "blue", "green", "yellow"][self as usize]
    }
}

/// A symbol of colored cards.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Symbol {
    /// The number 1. There is no number 2.
    One,
    /// The number 3.
    Three,
    /// The number 4.
    Four,
    /// The number 5.
    Five,
    /// The number 6.
    Six,
    /// The number 7.
    Seven,
    /// The number 8.
    Eight,
    /// The number 9.
    Nine,
    /// Stop.
    Stop,
    /// +2.
    Plus2,
    /// Change Direction.
    Direction,
    /// Plus.
    Plus,
    /// TAKI.
    Taki,
}

impl Symbol {
    /// All symbols, in the order of faces and actions.
    pub const ALL: [Self; SYMBOLS] = [
        Self::One,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Stop,
        Self::Plus2,
        Self::Direction,
        Self::Plus,
        Self::Taki,
    ];

    /// The symbol in card notation, behind the color's letter.
    pub const fn name(self) -> &'static str {
        ["1", "3", "4", "5", "6", "7", "8", "9", "stop", "+2", "dir", "plus", "taki"][self as usize]
    }

    /// The faces with this symbol, as bits.
    #[inline]
    pub const fn faces(self) -> u64 {
        let one = 1 << self as usize;
        one | one << SYMBOLS | one << (2 * SYMBOLS) | one << (3 * SYMBOLS)
    }

    /// Whether it is a number.
    #[inline]
    pub const fn is_number(self) -> bool {
        (self as u8) < Self::Stop as u8
    }
}

/// The face of a colored card.
#[inline]
pub const fn colored(color: Color, symbol: Symbol) -> Card {
    color as u8 * SYMBOLS as u8 + symbol as u8
}

static PARTS: [(Color, Symbol); COLORED as usize] = {
    let mut parts = [(Color::Red, Symbol::One); COLORED as usize];
    let mut face = 0;
    while face < COLORED as usize {
        parts[face] = (Color::ALL[face / SYMBOLS], Symbol::ALL[face % SYMBOLS]);
        face += 1;
    }
    parts
};

/// Returns color and symbol of a colored card, and `None` for a colorless one.
#[inline]
pub fn parts(card: Card) -> Option<(Color, Symbol)> {
    PARTS.get(usize::from(card)).copied()
}

/// The bit of a face.
#[inline]
pub(super) const fn bit(card: Card) -> u64 {
    1 << card
}

/// Number of copies of a card in the deck.
pub(super) const fn copies(card: Card) -> u8 {
    if card == CHANGE { 4 } else { 2 }
}

/// All different cards, in ascending order.
pub(super) fn kinds() -> impl Iterator<Item = Card> {
    (0..FACES as u8).filter(|&card| card != CHANGE + 1)
}

/// The two bits of Change Color.
const CHANGES: u64 = 0b11 << CHANGE;

/// A multiset of cards, as two bit masks over the faces. One copy of a face sets its bit in `once`; two
/// copies also set it in `twice`. The up to four Change Color cards use two bits in each mask. They fill, in
/// this order: bit [`CHANGE`] of `once`, the next bit of `once`, then the same two bits of `twice`. JSON uses
/// card notation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Cards {
    /// Faces held at least once.
    pub once: u64,
    /// Of these, the faces held twice.
    pub twice: u64,
}

impl Cards {
    /// The hand without any card.
    pub const NONE: Self = Self { once: 0, twice: 0 };
    /// All cards of the deck.
    pub const ALL: Self = Self { once: (1 << FACES) - 1, twice: (1 << FACES) - 1 };

    /// Returns the hand with one card.
    pub const fn one(card: Card) -> Self {
        Self { once: bit(card), twice: 0 }
    }

    /// Returns the number of copies of a card in the set.
    #[inline]
    pub const fn count(&self, card: Card) -> u8 {
        if card == CHANGE {
            return ((self.once & CHANGES).count_ones() + (self.twice & CHANGES).count_ones()) as u8;
        }
        (self.once >> card & 1) as u8 + (self.twice >> card & 1) as u8
    }

    /// Returns whether the set has at least one copy of a card.
    #[inline]
    pub const fn has(&self, card: Card) -> bool {
        self.once >> card & 1 == 1
    }

    /// Returns the number of cards.
    #[inline]
    pub const fn total(&self) -> u32 {
        self.once.count_ones() + self.twice.count_ones()
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.once == 0
    }

    /// Adds a card. At least one of its copies must be outside the set.
    #[inline]
    pub fn add(&mut self, card: Card) {
        if self.once & bit(card) == 0 {
            self.once |= bit(card);
        } else if card != CHANGE {
            self.twice |= bit(card);
        } else {
            self.set_changes(self.count(CHANGE) + 1);
        }
    }

    /// Removes a card that is in the set.
    #[inline]
    pub fn remove(&mut self, card: Card) {
        if card == CHANGE {
            self.set_changes(self.count(CHANGE) - 1);
        } else if self.twice & bit(card) != 0 {
            self.twice &= !bit(card);
        } else {
            self.once &= !bit(card);
        }
    }

    /// Sets the four bits of Change Color to a count, from the lowest bit of `once`.
    #[inline]
    fn set_changes(&mut self, count: u8) {
        let [once, twice] = [count.min(2), count.saturating_sub(2)].map(|cells| (1 << cells) - 1);
        self.once = self.once & !CHANGES | once << CHANGE;
        self.twice = self.twice & !CHANGES | twice << CHANGE;
    }

    /// Returns the cards of both sets. The number of copies never exceeds that of the deck.
    #[inline]
    pub fn with(&self, more: &Self) -> Self {
        let mut sum =
            Self { once: self.once | more.once, twice: self.twice | more.twice | (self.once & more.once) };
        sum.set_changes((self.count(CHANGE) + more.count(CHANGE)).min(4));
        sum
    }

    /// Returns the cards of this set minus those of `less`. Extra cards in `less` have no effect.
    #[inline]
    pub fn without(&self, less: &Self) -> Self {
        let mut rest = Self {
            once: (self.once & !less.once) | (self.twice & !less.twice),
            twice: self.twice & !less.once,
        };
        rest.set_changes(self.count(CHANGE).saturating_sub(less.count(CHANGE)));
        rest
    }

    /// The cards that are in both sets.
    #[inline]
    pub const fn common(&self, other: &Self) -> Self {
        Self { once: self.once & other.once, twice: self.twice & other.twice }
    }

    /// Whether all cards of `part` are in the set.
    #[inline]
    pub const fn contains(&self, part: &Self) -> bool {
        part.once & !self.once == 0 && part.twice & !self.twice == 0
    }

    /// Returns how many cards have one of these faces. For Change Color, only its first bit in `faces`
    /// counts.
    #[inline]
    pub const fn among(&self, faces: u64) -> u32 {
        let faces = faces & !(CHANGES & !bit(CHANGE)) | (faces & bit(CHANGE)) << 1;
        (self.once & faces).count_ones() + (self.twice & faces).count_ones()
    }

    /// Iterates over the cards, without repetition, in ascending order.
    pub(super) fn faces(&self) -> impl Iterator<Item = Card> + '_ {
        kinds().filter(|&card| self.has(card))
    }

    /// Iterates over the cards, with repetition, in ascending order.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        kinds().flat_map(|card| std::iter::repeat_n(card, usize::from(self.count(card))))
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut set = Self::NONE;
        cards.into_iter().for_each(|card| set.add(card));
        set
    }
}

/// Returns, as bits, the faces of which all copies are in the set. Change Color uses its first bit.
#[inline]
pub(super) const fn complete(cards: &Cards) -> u64 {
    let change = if cards.twice & CHANGES == CHANGES { bit(CHANGE) } else { 0 };
    cards.twice & !CHANGES | change
}

/// Card notation of every face.
#[rustfmt::skip]
const NAMES: [&str; FACES] = [
    "R1", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "Rstop", "R+2", "Rdir", "Rplus", "Rtaki",
    "B1", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "Bstop", "B+2", "Bdir", "Bplus", "Btaki",
    "G1", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "Gstop", "G+2", "Gdir", "Gplus", "Gtaki",
    "Y1", "Y3", "Y4", "Y5", "Y6", "Y7", "Y8", "Y9", "Ystop", "Y+2", "Ydir", "Yplus", "Ytaki",
    "color", "color", "super", "king", "+3", "breaker",
];

/// A card in card notation: `R5`, `Bstop`, `G+2`, `Ydir`, `Rplus`, `Btaki`, `color`, `super`, `king`,
/// `+3`, `breaker`.
pub fn card_name(card: Card) -> &'static str {
    NAMES[usize::from(card)]
}

/// Reads one card, in any letter case.
///
/// # Errors
/// The word is no card. The message names valid cards.
pub fn card_from(word: &str) -> Result<Card, String> {
    let among = |faces: std::ops::Range<usize>| {
        let found = NAMES[faces.clone()].iter().position(|name| name.eq_ignore_ascii_case(word))?;
        Some((faces.start + found) as Card)
    };
    let letter = word.bytes().next().map_or(' ', |byte| byte.to_ascii_uppercase() as char);
    let color = Color::ALL.iter().position(|color| color.letter() == letter);
    let colored = color.and_then(|color| among(color * SYMBOLS..(color + 1) * SYMBOLS));
    let found = colored.or_else(|| among(usize::from(COLORED)..FACES));
    found.ok_or_else(|| {
        format!("`{word}` is not a card: expected such as R5, Bstop, G+2, Ydir, Rplus, Btaki, color, super, king, +3, breaker")
    })
}

/// Writes cards in card notation, with spaces between them.
pub fn list_to_text(cards: impl IntoIterator<Item = Card>) -> String {
    let mut text = String::new();
    for card in cards {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(card_name(card));
    }
    text
}

/// Cards in card notation: `R1 R5 R5 king`.
pub fn to_text(cards: &Cards) -> String {
    list_to_text(cards.cards())
}

/// Reads cards in card notation, in any order.
///
/// # Errors
/// A word is no card, or the deck has fewer copies of a card.
pub fn from_text(text: &str) -> Result<Cards, String> {
    let mut cards = Cards::NONE;
    for word in text.split_whitespace() {
        let card = card_from(word)?;
        if cards.count(card) == copies(card) {
            return Err(format!("the deck has only {} cards `{word}`", copies(card)));
        }
        cards.add(card);
    }
    Ok(cards)
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_text(self))
    }
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Cards {
    fn schema_name() -> Cow<'static, str> {
        "Cards".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schema::cards(kinds().map(card_name))
    }
}

/// The JSON schema of one card in card notation.
pub(super) struct CardText;

impl JsonSchema for CardText {
    fn schema_name() -> Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = kinds().map(card_name).collect();
        json_schema!({ "description": "A card in card notation.", "enum": names })
    }
}

/// Serializes one card in card notation.
pub(super) mod card_text {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Card;

    /// Writes a card such as `R5`.
    ///
    /// # Errors
    /// The serializer failed.
    pub fn serialize<S: Serializer>(card: &Card, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(super::card_name(*card))
    }

    /// Reads a card such as `R5`.
    ///
    /// # Errors
    /// The word is no card.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        super::card_from(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
