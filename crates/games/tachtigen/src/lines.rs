//! Types of the trace lines `deal` and `event`, without the common fields `line` and `round`.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Lines;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::Round;
use super::deck::{Card, Cards, Trump};
use super::ladder::Bid;
use super::seats::Each;

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
    /// The seats in the order in which the players are asked to open.
    pub order: Each<Seat>,
    /// The eight cards dealt to each seat.
    pub hands: Each<Cards>,
    /// The kitty: the card dealt to the middle.
    pub kitty: Card,
}

/// What follows from the auction and from the cards played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// No player opened, and the next dealer dealt again.
    Redeal {
        /// The seat that dealt.
        dealer: Seat,
        /// The seats in the order in which the players are asked to open.
        order: Each<Seat>,
        /// The eight cards dealt to each seat.
        hands: Each<Cards>,
        /// The kitty: the card dealt to the middle.
        kitty: Card,
    },
    /// The auction is over, and the highest bidder is the bidder.
    Contract {
        /// The bidder's seat.
        seat: Seat,
        /// The bid that won the auction: the contract.
        bid: Bid,
    },
    /// The bidder took the kitty, which everybody sees.
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
    /// A player's hand is open from now on.
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
        /// The points of the cards in the trick.
        points: u8,
    },
    /// The deal is over. If no player opened, the only field is `bid`, which is null.
    #[schemars(extend("dependentRequired" = {
        "bidder": ["partner", "made"], "partner": ["bidder", "made"], "made": ["bidder", "partner"],
        "raw": ["total", "made"], "total": ["raw", "made"],
    }))]
    Result {
        /// The bid of the contract; null if no player opened.
        bid: Option<Bid>,
        /// The bidder's seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bidder: Option<Seat>,
        /// The partner's seat; null if the bidder had no partner.
        #[serde(default, deserialize_with = "there", skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Seat>")]
        partner: Option<Option<Seat>>,
        /// Whether the contract was made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made: Option<bool>,
        /// The card points of the bidder's side before rounding; only for points contracts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<u16>,
        /// The total of the bidder's side: rounded card points, roem and bonus; only for points contracts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<i32>,
    },
}

/// Distinguishes `null` (`Some(None)`) from a missing field (`None`).
fn there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Seat>>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}
