//! The data in the lines of a trace, except `line` and `round`.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Lines;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Round;
use super::deck::{CardsText, RankText};

impl Lines for Round {
    type Deal = Deal;
    type Event = Event;
}

/// Everything that was dealt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The seat at each position, the Greater Dalmuti first.
    pub order: Vec<Seat>,
    /// The cards dealt to each position, in the same order as `order`, before any tax or misdeal repair.
    #[schemars(with = "Vec<CardsText>")]
    pub hands: Vec<String>,
    /// The card that was exposed while dealing, or null.
    pub exposed: Option<ExposedCard>,
}

/// A card exposed while dealing. It is in the hand of the seat to which it was dealt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExposedCard {
    /// The rank of the card.
    #[schemars(with = "RankText")]
    pub card: String,
    /// The seat to which the card was dealt.
    pub receiver: Seat,
}

/// Events of chance after the deal, and cards that moved between players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The Greater Dalmuti gave the exposed card to the Greater Peon.
    Misdeal {
        /// The seat of the Greater Peon, who got the exposed card.
        peon: Seat,
        /// The seat to which the exposed card was dealt.
        receiver: Seat,
        /// The rank of the exposed card.
        #[schemars(with = "RankText")]
        exposed: String,
        /// The card that the receiver got in exchange, drawn at random from the Greater Peon's hand.
        #[schemars(with = "RankText")]
        replacement: String,
    },
    /// A player called a revolution: no taxes and no merchant exchange.
    Revolution {
        /// The seat at each position, the Greater Dalmuti first; a revolution changes nothing here.
        order: Vec<Seat>,
    },
    /// The Greater Peon called a greater revolution: no taxes, and all players swapped places with their opposites.
    GreaterRevolution {
        /// The seat at each new position, the Greater Dalmuti first.
        order: Vec<Seat>,
    },
    /// A Peon paid a tax: the Peon's best cards went to a Dalmuti.
    Tribute {
        /// The seat that paid.
        from: Seat,
        /// The seat that received.
        to: Seat,
        /// The cards that moved.
        #[schemars(with = "CardsText")]
        cards: String,
    },
    /// A Dalmuti gave cards of their choice back to a Peon.
    Return {
        /// The seat that gave.
        from: Seat,
        /// The seat that received.
        to: Seat,
        /// The cards that moved.
        #[schemars(with = "CardsText")]
        cards: String,
    },
    /// A Merchant's card went to another Merchant. An exchange has two such events.
    Exchange {
        /// The seat that gave.
        from: Seat,
        /// The seat that received.
        to: Seat,
        /// The rank of the card.
        #[schemars(with = "CardsText")]
        cards: String,
    },
}
