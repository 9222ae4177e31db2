//! What everybody knows, and what one seat knows besides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deck::{self, Card, CardText, Cards, Color, DECK, Symbol};
use super::memory::{Buried, Proofs};
use super::rules::{KingVsPlus3, Plus3VsPlus3, Rules};
use crate::ground::hands::Positions;
use crate::ground::listed::listed;
use crate::ground::schema::AllOptions;
use crate::ground::{MAX_SEATS, Seat};

/// The largest table of TAKI.
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

/// Where the game goes on after questions about last cards.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Next {
    /// Whose turn it is then.
    pub seat: Seat,
    /// He has just cancelled a +3 with a King, and goes on from there.
    pub king: bool,
    /// They have just answered a +3 with their own, which is carried out then; left out where they have not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plus3: bool,
}

/// How a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// This player won.
    Won(Seat),
    /// Everybody in turn could do nothing.
    Stalemate,
    /// There were too many decisions.
    CutOff,
}

/// What is being decided, as far as everybody can tell.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Stage {
    /// A turn begins.
    Turn,
    /// A TAKI is being played on.
    Run,
    /// After a King: any card, or none.
    Free,
    /// After a Plus: another card is owed.
    Owe,
    /// A +3 was laid and may be answered.
    Window,
    /// This player is down to one card and may say so.
    LastCard {
        /// The player's seat.
        seat: Seat,
        /// What follows.
        next: Next,
    },
    /// He was silent; the others may catch him, one after the other.
    Catch {
        /// Who was silent.
        silent: Seat,
        /// Who may catch him now.
        asked: Seat,
        /// What follows.
        next: Next,
    },
    /// The game is over.
    Over(End),
}

listed! {
    /// What everybody knows.
    pub struct Table by rules {
        /// The rules of the session.
        #[schemars(with = "AllOptions<Rules>")]
        pub rules: Rules,
        /// The number of the game in the session, from 1.
        pub game: u16,
        /// Games won by each seat before this one.
        pub wins: [i32; MAX_SEATS] => Vec<i32> [rules.players],
        /// What is being decided.
        pub stage: Stage,
        /// Whose turn it is; in a window the player of the +3.
        pub turn: Seat,
        /// Which way the turn goes.
        pub direction: Direction,
        /// The active color.
        pub color: Color,
        /// The symbol that can be matched, none after King and Change Color.
        pub symbol: Option<Symbol>,
        /// The card on top of the discard pile.
        #[serde(with = "deck::card_text")]
        #[schemars(with = "CardText")]
        pub top: Card,
        /// Cards owed by the player to move because of +2 cards.
        pub debt: u32,
        /// Whether an open TAKI of the active color lies on the table.
        pub open: bool,
        /// Cards the player whose turn it is held right after the last card he laid in this turn; none if he
        /// laid none, or has settled for it already.
        pub remained: Option<u8>,
        /// Turns in a row in which no card moved.
        pub idle: u8,
        /// Decisions so far, those that nobody else may notice left out.
        pub decisions: u32,
        /// Cards in the hand of each seat.
        pub sizes: [u8; SEATS] => Vec<u8> [rules.players],
        /// The stage of each seat in a tournament; 0 in a single game.
        pub stages: [u8; SEATS] => Vec<u8> [rules.players],
        /// The seats that have announced their last card and still hold it alone.
        pub announced: Positions,
        /// Cards in the draw pile.
        pub pile: u8,
        /// Cards whose place at the bottom of the draw pile everybody knows, the bottom one first.
        pub buried: Buried,
        /// The discard pile.
        pub discards: Cards,
        /// The card the discard pile began with.
        #[serde(with = "deck::card_text")]
        #[schemars(with = "CardText")]
        pub first: Card,
        /// How often the discards have become a new draw pile.
        pub recycles: u32,
        /// The cards the draw pile was made of: at the last of these times, or at the deal (then all but the
        /// first card turned up to stay).
        pub stock: Cards,
        /// Cards that each seat has laid since then.
        pub laid: [Cards; SEATS] => Vec<Cards> [rules.players],
        /// Cards that each seat has drawn since then, those of the deal included.
        pub drawn: [u8; SEATS] => Vec<u8> [rules.players],
        /// Cards that each seat surely holds, because everybody knew what it drew.
        pub known: [Cards; SEATS] => Vec<Cards> [rules.players],
        /// Cards of which each seat has few: what its draws have proven.
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

/// What a seat has to do with a +3 that may be answered.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Nothing.
    Nothing,
    /// He is asked.
    Asked,
    /// He has declined.
    Declined,
}

/// What one seat knows besides the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Own {
    /// The cards in hand.
    pub hand: Cards,
    /// The cards of the table's `stock` that this seat has drawn.
    pub drew: Cards,
    /// What the seat has to do with a +3 that may be answered.
    pub answer: Answer,
}

impl Own {
    /// A seat without cards.
    pub(super) const NONE: Self = Self { hand: Cards::NONE, drew: Cards::NONE, answer: Answer::Nothing };
}

/// Cards the viewer has not seen: neither in his hand nor on the discard pile.
#[inline]
pub(super) fn unseen(table: &Table, own: &Own) -> Cards {
    Cards::ALL.without(&own.hand).without(&table.discards)
}

/// Of the unseen cards those that can be in the draw pile: they were shuffled into it and the viewer
/// did not draw them.
#[inline]
pub(super) fn drawable(table: &Table, own: &Own) -> Cards {
    unseen(table, own).common(&table.stock.without(&own.drew))
}

const _: () = assert!(DECK <= u8::MAX as usize);
