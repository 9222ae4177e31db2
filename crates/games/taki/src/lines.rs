//! Types of the trace lines `deal` and `event`, without the common fields `line` and `round`.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Lines;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Round;
use super::deck::Cards;

impl Lines for Round {
    type Deal = Deal;
    type Event = Event;
}

/// Everything that was dealt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The cards dealt to each seat.
    #[schemars(with = "Vec<Cards>")]
    pub hands: Vec<String>,
    /// The cards turned up to start the discard pile, in order. The last one stays. The others go to the bottom
    /// of the draw pile, each below the previous one.
    #[schemars(with = "Cards")]
    pub turned: String,
    /// The seat that plays first.
    pub begins: Seat,
    /// The draw pile from the top down, the buried cards included.
    #[schemars(with = "Cards")]
    pub pile: String,
}

/// Cards that were drawn, and how stages and the game end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// A player drew cards, for any reason.
    Draw {
        /// The player's seat.
        seat: Seat,
        /// The cards, in the order in which they were drawn.
        #[schemars(with = "Cards")]
        cards: String,
    },
    /// All discards except the top one were shuffled into a new draw pile.
    Recycle {
        /// The new draw pile, from the top down.
        #[schemars(with = "Cards")]
        pile: String,
    },
    /// No player answered a +3, and no card is left to draw.
    Settled {},
    /// A player has finished a stage of the tournament and starts the next one.
    Stage {
        /// The player's seat.
        seat: Seat,
        /// The number of the new stage, one lower than before.
        stage: u8,
    },
    /// The game is over: this player has won.
    Won {
        /// The player's seat.
        seat: Seat,
    },
    /// The game is a draw: no card has moved for as many turns as there are players.
    Stalemate {},
    /// The game is over: `max_decisions` was reached.
    CutOff {},
}
