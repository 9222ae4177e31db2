//! The state of a table as clients see it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::clock::Clock;

/// The public facts of a table outside its event log.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct TableNow {
    /// The name of the game.
    pub(crate) game: &'static str,
    /// The person or bot in each seat.
    pub(crate) seats: Vec<SeatNow>,
    /// Whether people may take seats of bots without the host.
    pub(crate) open: bool,
    /// The pending request to take back a move.
    pub(crate) undo: Option<UndoNow>,
    /// Why the table cannot continue; null if it can.
    pub(crate) stopped: Option<String>,
    /// Whether the session is over.
    pub(crate) over: bool,
    /// The limits of time for people; null if there are none.
    pub(crate) clock: Option<Clock>,
    /// Changes of substitutes when the next round is dealt.
    pub(crate) planned: Vec<SubstituteNow>,
    /// The people who took a seat, or got a new secret for it, while a round was in play. They could see its cards.
    pub(crate) seen: Vec<SeenNow>,
}

/// The person or bot in a seat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SeatNow {
    /// The seat.
    pub(crate) seat: u8,
    /// Whether the player is a person.
    pub(crate) person: bool,
    /// The name of the person or the bot.
    pub(crate) name: String,
    /// Whether the person listens to the seat's events now. True for bots.
    pub(crate) present: bool,
    /// The bot that plays for the person now.
    pub(crate) substitute: Option<String>,
}

/// A person who could see the cards of a seat that others had played before, in the same round.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SeenNow {
    /// The seat.
    pub(crate) seat: u8,
    /// The name of the person.
    pub(crate) name: String,
    /// The number of the round.
    pub(crate) round: u32,
}

/// A change of substitutes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SubstituteNow {
    /// The seat of a person.
    pub(crate) seat: u8,
    /// The bot that will play for the person; null if the person will play.
    pub(crate) bot: Option<String>,
}

/// A request to take back a move.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct UndoNow {
    /// The seat whose last move it is.
    pub(crate) seat: u8,
    /// The seats of people that agree.
    pub(crate) agreed: Vec<u8>,
    /// The seats of people that have not answered.
    pub(crate) missing: Vec<u8>,
}

/// The public facts of a table, and how far its event log goes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct State {
    /// The facts.
    #[serde(flatten)]
    pub(crate) now: TableNow,
    /// The id of the last event of your event log. For the host, that of the spectators.
    pub(crate) last: String,
}
