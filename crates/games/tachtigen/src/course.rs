//! The course of play: cards, tricks, and what they prove about the hands.

use std::borrow::Cow;

use cardsharp_engine::Seat;
use cardsharp_engine::hands::Positions;
use cardsharp_engine::listed;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::deck::{Card, Cards};
use super::seats::{Each, SEATS, clockwise};

/// Cards dealt to each player, and number of tricks.
pub(super) const HAND: usize = 8;
/// Cards played in a complete deal.
pub(super) const PLAYS: usize = SEATS * HAND;

/// The cards played, in order. In text, card notation with spaces.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Plays {
    len: u8,
    /// Card numbers; 0 beyond `len`.
    cards: [u8; PLAYS],
}

impl Plays {
    /// No cards.
    pub(super) const NONE: Self = Self { len: 0, cards: [0; PLAYS] };

    /// Number of cards played, 0 to 32.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether no card was played.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of entries in [`Course::leaders`], 1 to 9: the tricks begun, including the one
    /// about to begin. The extra entry shows who won the last trick.
    pub(super) const fn begun(&self) -> u8 {
        self.len / SEATS as u8 + 1
    }

    /// Returns the card played as number `i` of the deal, from 0.
    #[inline]
    pub fn get(&self, i: usize) -> Option<Card> {
        if i < self.len() { Card::new(self.cards[i]) } else { None }
    }

    /// Appends a card; ignores cards beyond 32.
    #[inline]
    pub(super) fn push(&mut self, card: Card) {
        if let Some(place) = self.cards.get_mut(usize::from(self.len)) {
            *place = card.number() as u8;
            self.len += 1;
        }
    }

    /// The cards in order.
    pub fn iter(&self) -> impl Iterator<Item = Card> + '_ {
        (0..self.len()).filter_map(|i| self.get(i))
    }
}

impl Serialize for Plays {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names: Vec<String> = self.iter().map(|card| card.to_string()).collect();
        serializer.serialize_str(&names.join(" "))
    }
}

impl JsonSchema for Plays {
    fn schema_name() -> Cow<'static, str> {
        Cards::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Cards::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Plays {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut plays = Self::NONE;
        for name in text.split_whitespace() {
            if plays.len() == PLAYS {
                return Err(serde::de::Error::custom(format!("more than {PLAYS} cards played")));
            }
            plays.push(name.parse().map_err(serde::de::Error::custom)?);
        }
        Ok(plays)
    }
}

/// Serializes [`Course::called`] as a list of trick numbers.
mod tricks {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::HAND;
    use cardsharp_engine::hands::Positions;

    pub(super) fn serialize<S: Serializer>(tricks: &u8, serializer: S) -> Result<S::Ok, S::Error> {
        Positions((*tricks).into()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        let tricks = Positions::deserialize(deserializer)?;
        let beyond =
            || serde::de::Error::custom(format!("{tricks:?} are not tricks: expected 0 to {}", HAND - 1));
        u8::try_from(tricks.0).map_err(|_| beyond())
    }
}

listed! {
    /// The state of play, and what the cards played prove about the hands.
    pub struct Course {
        /// The cards played, in order.
        pub cards: Plays,
        /// The seat that leads each trick so far, the next one included: 1 to 9 entries. The entry after that of a
        /// complete trick is its winner.
        pub leaders: [Seat; HAND + 1] => Vec<Seat> [cards.begun()],
        /// The numbers of the tricks, from 0, in which the asked card was called.
        // Bit `t` for trick `t`.
        #[serde(with = "tricks")]
        #[schemars(with = "Positions")]
        pub called: u8,
        /// The seat that is winning the current trick; while the trick is empty, the seat that leads it.
        pub best: Seat,
        /// The cards that each seat has played.
        pub played: Each<Cards>,
        /// Number of tricks that each seat has won.
        pub won: Each<u8>,
        /// Card points in the tricks of each seat.
        pub points: Each<u8>,
        /// Cards that each seat provably does not hold.
        pub lacks: Each<Cards>,
        /// How often each seat played another suit on a trump lead. The player may still hold the trump jack as their
        /// only trump.
        pub refused: Each<u8>,
        /// The seats for which the trump jack, if they hold it, is their only trump.
        pub lone: Positions,
    }
}

impl Course {
    /// The state before the first card.
    pub(super) const NONE: Self = Self {
        cards: Plays::NONE,
        leaders: [Seat(0); HAND + 1],
        called: 0,
        best: Seat(0),
        played: [Cards::NONE; SEATS],
        won: [0; SEATS],
        points: [0; SEATS],
        lacks: [Cards::NONE; SEATS],
        refused: [0; SEATS],
        lone: Positions(0),
    };

    /// Returns the number of the current trick, from 0; 8 after the last one.
    #[inline]
    pub const fn trick(&self) -> usize {
        self.cards.len() >> 2
    }

    /// Returns the number of cards in the current trick, 0 to 3. The fourth card completes the trick and
    /// starts the next one.
    #[inline]
    pub const fn in_trick(&self) -> usize {
        self.cards.len() & 3
    }

    /// Returns the leader of the current trick.
    #[inline]
    pub const fn leader(&self) -> Seat {
        self.leaders[self.trick()]
    }

    /// Returns the first card of the current trick.
    #[inline]
    pub fn led(&self) -> Option<Card> {
        self.cards.get(self.cards.len() & !3).filter(|_| self.in_trick() != 0)
    }

    /// Returns the card that is winning the current trick.
    #[inline]
    pub fn best_card(&self) -> Option<Card> {
        let place = usize::from((self.best.0 + SEATS as u8 - self.leader().0) & 3);
        self.cards.get((self.cards.len() & !3) + place).filter(|_| self.in_trick() != 0)
    }

    /// Returns the cards of the current trick.
    #[inline]
    pub fn on_table(&self) -> Cards {
        (self.cards.len() & !3..self.cards.len()).filter_map(|place| self.cards.get(place)).collect()
    }

    /// Returns the card that a seat has played to the current trick.
    pub fn card_of(&self, seat: Seat) -> Option<Card> {
        let place = usize::from((seat.0 + SEATS as u8 - self.leader().0) & 3);
        self.cards.get((self.cards.len() & !3) + place).filter(|_| place < self.in_trick())
    }

    /// Returns whether the asked card is called in the current trick.
    #[inline]
    pub const fn is_called(&self) -> bool {
        self.called >> (self.trick() & 7) & 1 == 1 && self.trick() < HAND
    }

    /// Returns all cards played.
    #[inline]
    pub fn gone(&self) -> Cards {
        let [a, b, c, d] = self.played;
        a.or(b).or(c).or(d)
    }

    /// Returns the seat that played card number `i` of the deal.
    #[inline]
    pub const fn player(&self, i: usize) -> Seat {
        clockwise(self.leaders[i >> 2], (i & 3) as u8)
    }
}
