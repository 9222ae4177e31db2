//! The public state of a hand and the private state of one seat.

use cardsharp_engine::List;
use cardsharp_engine::Seat;
use cardsharp_engine::schema::AllOptions;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::betting::Act;
use super::cards::Card;
use super::rules::{Rules, SEATS};

/// The most acts in a hand of any variant.
pub const MOST_ACTS: usize = 8;

/// The public state.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The rules of the session.
    #[schemars(with = "AllOptions<Rules>")]
    pub rules: Rules,
    /// Number of suits in the deck: 1 in Kuhn poker, 2 in Leduc poker.
    pub suits: u8,
    /// The number of the hand in the session, from 1.
    pub hand: u16,
    /// The acts of this hand so far, in order.
    pub acts: List<Act, MOST_ACTS>,
    /// The card that was turned up; null if there is none.
    pub board: Option<Card>,
}

impl Table {
    /// Returns the table before the first act.
    pub(super) fn begin(rules: Rules, suits: u8, hand: u16) -> Self {
        Self { rules, suits, hand, acts: List::default(), board: None }
    }

    /// Returns the seat that acts first (place 0) or second (place 1) in this hand.
    pub fn seat(&self, place: usize) -> Seat {
        Seat(((place + usize::from(self.hand) + 1) % SEATS) as u8)
    }

    /// Returns the place of `seat` in this hand: 0 acts first, 1 second.
    pub fn place(&self, seat: Seat) -> usize {
        (seat.index() + usize::from(self.hand) + 1) % SEATS
    }
}

/// The private state of one seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Own {
    /// The card in hand.
    pub card: Card,
}
