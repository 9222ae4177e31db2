//! What the lines of a trace hold besides `line` and `round`.

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
    /// Nobody opened, and the next dealer dealt again.
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
        /// The seat that plays.
        seat: Seat,
        /// What it plays.
        bid: Bid,
    },
    /// The bidder took the kitty into his hand; everybody saw it.
    Kitty {
        /// The bidder's seat.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// Trump by the rules, where nobody is asked to name it.
    Trump {
        /// What is trump.
        trump: Trump,
    },
    /// A player turned out to be the bidder's partner.
    Partner {
        /// The partner's seat.
        seat: Seat,
    },
    /// Roem that was announced by itself.
    Roem {
        /// The seat of the bidder or the partner.
        seat: Seat,
        /// How much.
        points: u16,
    },
    /// A hand lies open from now on.
    Open {
        /// The player's seat.
        seat: Seat,
        /// What is left of the hand.
        cards: Cards,
    },
    /// A trick was won.
    Trick {
        /// The seat that won it.
        seat: Seat,
        /// What its cards count.
        points: u8,
    },
    /// The deal is over. If nobody opened there is nothing but `bid`, which is null then.
    #[schemars(extend("dependentRequired" = {
        "bidder": ["partner", "made"], "partner": ["bidder", "made"], "made": ["bidder", "partner"],
        "raw": ["total", "made"], "total": ["raw", "made"],
    }))]
    Result {
        /// What was bid, or null.
        bid: Option<Bid>,
        /// The bidder's seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bidder: Option<Seat>,
        /// The partner's seat; null where he played alone.
        #[serde(default, deserialize_with = "there", skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Seat>")]
        partner: Option<Option<Seat>>,
        /// Whether the contract was made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made: Option<bool>,
        /// What the side's cards counted; only for points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<u16>,
        /// What it reached, rounded, with roem and bonus; only for points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<i32>,
    },
}

/// Tells a null that stands there from nothing.
fn there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Seat>>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}
