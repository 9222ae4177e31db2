//! The state of a table as clients see it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::TimeLimits;
use crate::deals::Published;

/// What spectators see.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Spectators {
    /// What everyone at the table sees, live.
    #[default]
    Public,
    /// All cards, one round late: a round when the next one is dealt, and the last round when the session is over.
    Delayed,
    /// Nothing: there is no secret for them.
    Off,
}

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
    pub(crate) clock: Option<TimeLimits>,
    /// What spectators see.
    pub(crate) spectators: Spectators,
    /// Whether moves can be taken back.
    pub(crate) undo_allowed: bool,
    /// Whether the table is in the list of tables.
    pub(crate) listed: bool,
    /// Whether a client chose the seed, and so can see all cards.
    pub(crate) seed_chosen: bool,
    /// Whether the session has not started, because some people are not ready. Only at tables with `ready_check`.
    pub(crate) waiting: bool,
    /// What everyone knows about the seed; null if a client chose it.
    pub(crate) deals: Option<Published>,
    /// Changes of substitutes when the next round is dealt.
    pub(crate) planned: Vec<SubstituteNow>,
    /// The people who took a seat, or got a new secret for it, while a round was in play. They could see its cards.
    pub(crate) seen: Vec<SeenNow>,
}

/// The person or bot in a seat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SeatNow {
    pub(crate) seat: u8,
    /// Whether the player is a person.
    pub(crate) person: bool,
    /// The name of the person or the bot.
    pub(crate) name: String,
    /// Whether the person listens to the seat's events now. True for bots.
    pub(crate) present: bool,
    /// The bot that plays for the person now.
    pub(crate) substitute: Option<String>,
    /// Whether the session can start without waiting for this player. True for bots, and when it has started.
    pub(crate) ready: bool,
    /// Whether the person has added a salt to the seed.
    pub(crate) salted: bool,
}

/// A person who could see the cards of a seat that others had played before, in the same round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct SeenNow {
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

/// Why an event stream ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Closed {
    /// The session is over.
    Over,
    /// The table was deleted.
    Deleted,
    /// The table was saved.
    Saved,
    /// The server stops.
    Stopping,
    /// The server has a bug; the table continues with the next request, if it is on the disk.
    Failed,
    /// Newer streams of the seat have replaced this one.
    Replaced,
    /// The secret is not valid any more, for example because another player has the seat.
    Secret,
}

impl Closed {
    /// Returns the last event of a stream.
    pub(crate) fn event(self) -> String {
        format!("event: closed\ndata: {}\n\n", serde_json::json!({ "why": self }))
    }
}

/// The public facts of a table, and how far its event log goes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct State {
    #[serde(flatten)]
    pub(crate) now: TableNow,
    /// The id of the last event of your event log. For the host, that of the spectators.
    pub(crate) last: String,
}
