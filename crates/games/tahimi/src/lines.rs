//! The data in the lines of a trace, except `line` and `round`.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Lines;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Round;
use super::deck::CardsText;
use super::variant::Variant;

impl Lines for Round {
    type Deal = Deal;
    type Event = Event;
}

/// The seating, the decree, and everything that was dealt. Cards have their names in the deck in play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The seats that left the table just before this round.
    pub left: Vec<Seat>,
    /// The seats that joined the table just before this round.
    pub joined: Vec<Seat>,
    /// The seat at each position, the Tahimi first. Seats not listed sit this round out.
    pub order: Vec<Seat>,
    /// The decreed entry of the menu, counted from 0; null without a menu.
    pub decree: Option<u8>,
    /// The options in force in this round.
    pub variant: Variant,
    /// The cards dealt to each position, in the same order as `order`, before any tax.
    #[schemars(with = "Vec<CardsText>")]
    pub hands: Vec<String>,
}

/// Cards that moved, and what players announced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// A player paid a tax: the player's highest cards went to the receiver.
    Tribute {
        /// The seat that paid.
        from: Seat,
        /// The seat that received.
        to: Seat,
        /// The cards.
        #[schemars(with = "CardsText")]
        cards: String,
    },
    /// The receiver of a tax gave cards of their choice back to the payer.
    Return {
        /// The seat that gave.
        from: Seat,
        /// The seat that received.
        to: Seat,
        /// The cards.
        #[schemars(with = "CardsText")]
        cards: String,
    },
    /// A player has one card left after a play, and announces it.
    #[serde(rename = "one card")]
    OneCard {
        /// The player's seat.
        seat: Seat,
    },
}
