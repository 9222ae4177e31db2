//! Types of the trace lines `deal` and `event`, without the common fields `line` and `round`.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::Round;
use super::deck::{Card, Cards, Trump};
use super::ladder::Bid;
use super::seats::Each;
use crate::game::Lines;
use crate::ground::Seat;

impl Lines for Round {
    type Deal = Deal;
    type Event = Event;
}

/// Everything that was dealt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The seat that dealt.
    pub dealer: Seat,
    /// The seats in the order in which they are asked to open.
    pub order: Each<Seat>,
    /// The eight cards dealt to each seat.
    pub hands: Each<Cards>,
    /// The card in the middle.
    pub kitty: Card,
}

/// What came of the auction and of the cards played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// No player opened, and the next dealer dealt again.
    Redeal {
        /// The seat that dealt.
        dealer: Seat,
        /// The seats in the order in which they are asked to open.
        order: Each<Seat>,
        /// The eight cards dealt to each seat.
        hands: Each<Cards>,
        /// The card in the middle.
        kitty: Card,
    },
    /// The auction is over.
    Contract {
        /// The bidder's seat.
        seat: Seat,
        /// The contract.
        bid: Bid,
    },
    /// The bidder took the kitty; the card is public.
    Kitty {
        /// The bidder's seat.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// Trump set by the rules, if the bidder does not name it.
    Trump {
        /// The trump suit, or none.
        trump: Trump,
    },
    /// A player became known as the bidder's partner.
    Partner {
        /// The partner's seat.
        seat: Seat,
    },
    /// Roem that was announced automatically.
    Roem {
        /// The seat of the bidder or the partner.
        seat: Seat,
        /// The points of roem.
        points: u16,
    },
    /// A hand is open from now on.
    Open {
        /// The player's seat.
        seat: Seat,
        /// The remaining cards of the hand.
        cards: Cards,
    },
    /// A trick was won.
    Trick {
        /// The seat that won it.
        seat: Seat,
        /// The points of its cards.
        points: u8,
    },
    /// The deal is over. If no player opened, the only field is `bid`, which is null.
    #[schemars(extend("dependentRequired" = {
        "bidder": ["partner", "made"], "partner": ["bidder", "made"], "made": ["bidder", "partner"],
        "raw": ["total", "made"], "total": ["raw", "made"],
    }))]
    Result {
        /// The bid, or null.
        bid: Option<Bid>,
        /// The bidder's seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bidder: Option<Seat>,
        /// The partner's seat; null if the bidder played alone.
        #[serde(default, deserialize_with = "there", skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Seat>")]
        partner: Option<Option<Seat>>,
        /// Whether the contract was made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made: Option<bool>,
        /// The card points of the side; only for points contracts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<u16>,
        /// The total of the side, rounded, with roem and bonus; only for points contracts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<i32>,
    },
}

/// Distinguishes `null` (`Some(None)`) from a missing field (`None`).
fn there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Seat>>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}
