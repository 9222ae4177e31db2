//! The public state, the private state of a seat, the round of both, and the state of a session.

use cardsharp_env::{DealRng, MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};

use crate::cards::{CARDS, Card, Cards, Rank, Suit};
use crate::rules::Rules;

/// The maximum number of seats.
pub const SEATS: usize = MAX_SEATS;

/// The kind of decision of the player to move.
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
    Down,
}

/// The public state.
///
/// A card is *old* if a player held it when the discards last became the draw pile. The table counts the old cards
/// in each hand, because they show which cards can be in the draw pile.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublicState {
    /// The rules of the session.
    pub rules: Rules,
    /// The number of the game in the session, from 1.
    pub game: u16,
    /// Points by seat of the games before this one, 0 or less.
    pub points: [i32; SEATS],
    pub dealer: Seat,
    /// The kind of decision of `turn`.
    pub stage: Stage,
    /// The seat to move, or the last seat that moved.
    pub turn: Seat,
    /// Which way the turn goes.
    pub direction: Direction,
    /// The card on top of the discards.
    pub top: Card,
    /// The suit to follow: that of the top card, or the one named for it.
    pub suit: Suit,
    /// Cards that the player to move owes for twos.
    pub debt: u8,
    /// Cards that this player has drawn in this turn. Cards owed do not count.
    pub drawn: u8,
    /// Passes in a row with an empty draw pile. Emptying it with the last card owed also counts as a pass.
    pub passes: u8,
    /// Cards laid in this game.
    pub plays: u16,
    /// Cards in the draw pile.
    pub pile: u8,
    /// Cards in hand by seat; 0 for seats without a player.
    pub sizes: [u8; SEATS],
    /// How many of them are old.
    pub old: [u8; SEATS],
    /// The discards, the top card included.
    pub discards: Cards,
    /// The cards that last became the draw pile. At first, all cards except the one turned up.
    pub stock: Cards,
}

impl PublicState {
    /// The seat that is `places` after `seat`, in the direction of play.
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

    /// The faces that may be laid now, as bits.
    #[inline]
    pub fn playable(&self) -> u64 {
        if self.debt > 0 {
            return Rank::TWO.faces();
        }
        self.suit.faces() | self.top.face().rank().faces() | Rank::EIGHT.faces()
    }

    /// Whether the player to move may draw. If not, they may pass.
    #[inline]
    pub fn may_draw(&self) -> bool {
        self.pile > 0 && (self.debt > 0 || self.drawn < self.rules.max_draw_cards)
    }

    /// Cards of the stock that this seat has not seen: in the draw pile, or drawn by others.
    pub fn unseen_new(&self, own: &PrivateState) -> Cards {
        self.stock.without(self.discards).without(own.hand)
    }

    /// Old cards that others hold.
    pub fn unseen_old(&self, own: &PrivateState) -> Cards {
        Cards::decks(self.rules.decks()).without(self.stock).without(self.discards).without(own.hand)
    }
}

/// The private state of a seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivateState {
    /// The cards in hand.
    pub hand: Cards,
}

/// The state that one game passes to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    pub games: u16,
    /// Points so far by seat, 0 or less.
    pub points: [i32; SEATS],
}

impl SessionState {
    /// Before the first game.
    pub const FRESH: Self = Self { games: 0, points: [0; SEATS] };
}

/// One game, with all cards.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    pub(crate) table: PublicState,
    pub(crate) own: [PrivateState; SEATS],
    /// The draw pile: the first `table.pile` cards, the top one last. The rest of the array has no meaning.
    pub(crate) pile: [Card; CARDS],
    pub(crate) rng: DealRng,
}
