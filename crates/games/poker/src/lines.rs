//! Types of the trace lines `deal` and `event`, without the common fields `line` and `round`.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Lines;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cards::Card;
use super::{Round, Variant};

impl<V: Variant> Lines for Round<V> {
    type Deal = Deal;
    type Event = Event;
}

/// Everything that was dealt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The seat that acts first.
    pub first: Seat,
    /// The card of each seat.
    pub hands: [Card; 2],
    /// The card that will be turned up, or null.
    pub board: Option<Card>,
}

/// Cards that were shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// A card was turned up.
    Board {
        /// The card.
        card: Card,
    },
    /// No player folded: both show their cards.
    Showdown {
        /// The card of each seat.
        hands: [Card; 2],
    },
}
