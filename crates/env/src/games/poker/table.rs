//! What everybody knows, and what one seat knows besides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::betting::Act;
use super::cards::Card;
use super::rules::{Rules, SEATS};
use crate::ground::Seat;
use crate::ground::list::List;
use crate::ground::schema::AllOptions;

/// Acts in a hand of any variant, at most.
pub const MOST_ACTS: usize = 8;

/// What everybody knows.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The rules of the session.
    #[schemars(with = "AllOptions<Rules>")]
    pub rules: Rules,
    /// Suits of the deck, 1 or 2: which of the games it is.
    pub suits: u8,
    /// The number of the hand in the session, from 1.
    pub hand: u16,
    /// What was done so far in this hand, in order.
    pub acts: List<Act, MOST_ACTS>,
    /// The card that was turned up.
    pub board: Option<Card>,
}

impl Table {
    /// Before anybody spoke.
    pub(super) fn begin(rules: Rules, suits: u8, hand: u16) -> Self {
        Self { rules, suits, hand, acts: List::default(), board: None }
    }

    /// The seat that speaks first (place 0) or second (place 1) in this hand.
    pub fn seat(&self, place: usize) -> Seat {
        Seat(((place + usize::from(self.hand) + 1) % SEATS) as u8)
    }

    /// Where `seat` speaks in this hand.
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
