//! The public state of a game and the private state of one seat.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deck::{self, Card, CardText, Cards, Color, DECK, Symbol};
use super::memory::{Buried, Proofs};
use super::rules::{KingVsPlus3, Plus3VsPlus3, Rules};
use crate::ground::hands::Positions;
use crate::ground::listed::listed;
use crate::ground::schema::AllOptions;
use crate::ground::{MAX_SEATS, Seat};

/// The most seats at a table of TAKI.
pub(super) const SEATS: usize = 10;

/// Which way the turn goes around the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To the left: ascending seats.
    Left,
    /// To the right: descending seats.
    Right,
}

impl Direction {
    /// The other direction.
    pub(super) const fn turned(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// How the game continues after the decisions about last cards.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Next {
    /// Whose turn it is then.
    pub seat: Seat,
    /// This player has just cancelled a +3 with a King, and continues from there.
    pub king: bool,
    /// This player has just answered a +3 with another +3, which is carried out then. Absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plus3: bool,
}

/// How a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// This player won.
    Won(Seat),
    /// No card moved for a whole round of turns.
    Stalemate,
    /// There were too many decisions.
    CutOff,
}

/// The public stage of the game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Stage {
    /// The start of a turn.
    Turn,
    /// A TAKI is in progress.
    Run,
    /// After a King: any card, or none.
    Free,
    /// After a Plus: another card is owed.
    Owe,
    /// A +3 was laid and may be answered.
    Window,
    /// This player has one card left and may announce it.
    LastCard {
        /// The player's seat.
        seat: Seat,
        /// How the game continues.
        next: Next,
    },
    /// This player was silent; the others may catch them, one after the other.
    Catch {
        /// The silent player.
        silent: Seat,
        /// The seat that may catch the silent player now.
        asked: Seat,
        /// How the game continues.
        next: Next,
    },
    /// The game is over.
    Over(End),
}

listed! {
    /// The public state.
    pub struct Table by rules {
        /// The rules of the session.
        #[schemars(with = "AllOptions<Rules>")]
        pub rules: Rules,
        /// The number of the game in the session, from 1.
        pub game: u16,
        /// Games won by each seat before this one.
        pub wins: [i32; MAX_SEATS] => Vec<i32> [rules.players],
        /// The stage of the game.
        pub stage: Stage,
        /// Whose turn it is; in a window the player of the +3.
        pub turn: Seat,
        /// Which way the turn goes.
        pub direction: Direction,
        /// The active color.
        pub color: Color,
        /// The symbol to match; null after King and Change Color.
        pub symbol: Option<Symbol>,
        /// The card on top of the discard pile.
        #[serde(with = "deck::card_text")]
        #[schemars(with = "CardText")]
        pub top: Card,
        /// Cards owed by the player to move because of +2 cards.
        pub debt: u32,
        /// Whether an open TAKI of the active color is on the table.
        pub open: bool,
        /// Cards that the player to move held right after their last card laid in this turn. Null if they laid
        /// none, or if the effect is already settled.
        pub remained: Option<u8>,
        /// Turns in a row in which no card moved.
        pub idle: u8,
        /// Public decisions so far.
        pub decisions: u32,
        /// Cards in the hand of each seat.
        pub sizes: [u8; SEATS] => Vec<u8> [rules.players],
        /// The stage of each seat in a tournament; 0 in a single game.
        pub stages: [u8; SEATS] => Vec<u8> [rules.players],
        /// The seats that have announced their last card and still hold one card.
        pub announced: Positions,
        /// Cards in the draw pile.
        pub pile: u8,
        /// Cards known to be at the bottom of the draw pile, the bottom one first.
        pub buried: Buried,
        /// The discard pile.
        pub discards: Cards,
        /// The first card of the discard pile.
        #[serde(with = "deck::card_text")]
        #[schemars(with = "CardText")]
        pub first: Card,
        /// How often the discards became a new draw pile.
        pub recycles: u32,
        /// The cards of which the draw pile was made, at the last of these times or at the deal (then all cards
        /// but `first`).
        pub stock: Cards,
        /// Cards that each seat has laid since then.
        pub laid: [Cards; SEATS] => Vec<Cards> [rules.players],
        /// Cards that each seat has drawn since then, those of the deal included.
        pub drawn: [u8; SEATS] => Vec<u8> [rules.players],
        /// Cards that each seat is known to hold, because its draw was public.
        pub known: [Cards; SEATS] => Vec<Cards> [rules.players],
        /// Limits on the cards of each seat, proven by its draws.
        pub proofs: [Proofs; SEATS] => Vec<Proofs> [rules.players],
    }
}

impl Table {
    /// Number of players.
    #[inline]
    pub const fn players(&self) -> u8 {
        self.rules.players
    }

    /// The seat `steps` (at most the number of players) after `seat` in turn order.
    #[inline]
    pub const fn after(&self, seat: Seat, steps: u8) -> Seat {
        let n = self.rules.players;
        let sum = match self.direction {
            Direction::Left => seat.0 + steps,
            Direction::Right => seat.0 + n - steps,
        };
        Seat(if sum >= n { sum - n } else { sum })
    }

    /// How many steps `seat` is after `from` in turn order.
    #[inline]
    pub const fn steps(&self, from: Seat, seat: Seat) -> u8 {
        let n = self.rules.players;
        let d = match self.direction {
            Direction::Left => seat.0 + n - from.0,
            Direction::Right => from.0 + n - seat.0,
        };
        if d >= n { d - n } else { d }
    }

    /// The colored cards that match color or symbol, as faces.
    #[inline]
    pub fn matching(&self) -> u64 {
        self.color.faces() | self.symbol.map_or(0, Symbol::faces)
    }

    /// The cards that may be played in an ordinary turn without debt, as faces.
    #[inline]
    pub fn playable(&self) -> u64 {
        let mut faces =
            self.matching() | deck::bit(deck::KING) | deck::bit(deck::PLUS3) | deck::bit(deck::BREAKER);
        if self.rules.cover_resolved_plus3 || self.top != deck::PLUS3 {
            faces |= deck::bit(deck::CHANGE) | deck::bit(deck::SUPER);
        }
        faces
    }

    /// The cards with which this player could answer the +3 on the table, as faces.
    #[inline]
    pub fn answers(&self, seat: Seat) -> u64 {
        self.answers_to(self.turn, seat)
    }

    /// The cards with which `seat` could answer a +3 of `player`, as faces.
    #[inline]
    pub(super) fn answers_to(&self, player: Seat, seat: Seat) -> u64 {
        let next = self.after(player, 1) == seat;
        let king = next && self.rules.king_vs_plus3 == KingVsPlus3::NextPlayer;
        let plus3 = next && self.rules.plus3_vs_plus3 == Plus3VsPlus3::NextPlayer;
        let face = |may: bool, card: Card| if may { deck::bit(card) } else { 0 };
        deck::bit(deck::BREAKER) | face(king, deck::KING) | face(plus3, deck::PLUS3)
    }
}

/// Whether a seat may answer a +3.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Nothing.
    Nothing,
    /// The seat is asked.
    Asked,
    /// The seat has declined.
    Declined,
}

/// The private state of one seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Own {
    /// The cards in hand.
    pub hand: Cards,
    /// The cards of the table's `stock` that this seat has drawn.
    pub drew: Cards,
    /// Whether the seat may answer a +3.
    pub answer: Answer,
}

impl Own {
    /// A seat without cards.
    pub(super) const NONE: Self = Self { hand: Cards::NONE, drew: Cards::NONE, answer: Answer::Nothing };
}

/// Returns the cards that the viewer has not seen: neither in their hand nor on the discard pile.
#[inline]
pub(super) fn unseen(table: &Table, own: &Own) -> Cards {
    Cards::ALL.without(&own.hand).without(&table.discards)
}

/// Returns the unseen cards that can be in the draw pile: they were in its last shuffle, and the viewer did
/// not draw them.
#[inline]
pub(super) fn drawable(table: &Table, own: &Own) -> Cards {
    unseen(table, own).common(&table.stock.without(&own.drew))
}

const _: () = assert!(DECK <= u8::MAX as usize);
