//! What everybody knows, and what one seat knows besides.

use cardsharp_env::{MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};

use crate::cards::{Card, Cards, Rank, Suit};
use crate::rules::Rules;

/// Number of seats, at most.
pub const SEATS: usize = MAX_SEATS;

/// What is asked of the player whose turn it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// To lay a card, to draw, or to pass.
    Turn,
    /// To name a suit for the eight just laid.
    Suit,
    /// Nothing: the game is over.
    Over,
}

/// Which way the turn goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To higher seats, as games begin.
    Up,
    /// To lower seats.
    Down,
}

/// What everybody knows.
///
/// Cards count as *old* that were held when the draw pile was last made of the discards. The table remembers
/// how many of them everybody still holds, so that it is known which cards can be in the draw pile.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The rules of the session.
    pub rules: Rules,
    /// The number of the game in the session, from 1.
    pub game: u16,
    /// Points by seat of the games before this one, 0 or less.
    pub points: [i32; SEATS],
    /// Who dealt.
    pub dealer: Seat,
    /// What is asked of `turn`.
    pub stage: Stage,
    /// Whose turn it is, or was last.
    pub turn: Seat,
    /// Which way the turn goes.
    pub direction: Direction,
    /// The card on top of the discards.
    pub top: Card,
    /// The suit to follow: that of the top card, or the one named for it.
    pub suit: Suit,
    /// Cards owed for twos by the player whose turn it is.
    pub debt: u8,
    /// Cards that this player has drawn in this turn; those owed do not count.
    pub drawn: u8,
    /// Passes in a row while the draw pile was used up. Who used it up with the last card owed has passed, too.
    pub passes: u8,
    /// Cards laid in this game.
    pub plays: u16,
    /// Cards in the draw pile.
    pub pile: u8,
    /// Cards held by seat; 0 where nobody sits.
    pub sizes: [u8; SEATS],
    /// How many of them are old.
    pub old: [u8; SEATS],
    /// The discards, the top card included.
    pub discards: Cards,
    /// What the draw pile was last made of: at first all cards but the one turned up.
    pub stock: Cards,
}

impl Table {
    /// The seat so many places after `seat`, the way the turn goes.
    #[inline]
    pub fn after(&self, seat: Seat, places: u8) -> Seat {
        let players = self.rules.players;
        let places = places % players;
        let forward = match self.direction {
            Direction::Up => places,
            Direction::Down => players - places,
        };
        let sum = seat.0 + forward;
        Seat(if sum >= players { sum - players } else { sum })
    }

    /// The faces that may be laid now by who holds them, as bits.
    #[inline]
    pub fn playable(&self) -> u64 {
        if self.debt > 0 {
            return Rank::TWO.faces();
        }
        self.suit.faces() | self.top.face().rank().faces() | Rank::EIGHT.faces()
    }

    /// Whether the player whose turn it is may draw; passing is what remains to who may not.
    #[inline]
    pub fn may_draw(&self) -> bool {
        self.pile > 0 && (self.debt > 0 || self.drawn < self.rules.max_draw_cards)
    }

    /// Cards of the stock that `own` has not seen since: in the draw pile or drawn by others.
    pub fn unseen_new(&self, own: &Own) -> Cards {
        self.stock.without(self.discards).without(own.hand)
    }

    /// Old cards that others hold.
    pub fn unseen_old(&self, own: &Own) -> Cards {
        Cards::decks(self.rules.decks()).without(self.stock).without(self.discards).without(own.hand)
    }
}

/// What one seat knows besides the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Own {
    /// The cards in hand.
    pub hand: Cards,
}
