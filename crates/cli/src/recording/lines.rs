//! The lines of a trace.

use cardsharp_env::{Payoff, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the trace format: raised when a line changes its meaning.
pub(crate) const FORMAT: u32 = 1;

/// The first line: everything that the session follows from, besides the choices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    /// [`FORMAT`].
    pub(crate) format: u32,
    /// The game's name.
    pub(crate) game: String,
    /// Number of seats in the session.
    pub(crate) players: usize,
    /// Every option of the game.
    pub(crate) rules: Value,
    /// The seed of seating, deals and chance.
    pub(crate) seed: u64,
    /// Who played, per seat.
    pub(crate) bots: Vec<String>,
}

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub(crate) enum Line {
    /// How the session came about.
    Header(Header),
    /// A round begins: everything dealt, as the game describes it.
    Deal {
        /// The number of the round, from 1.
        round: u32,
        /// The game's own fields.
        #[serde(flatten)]
        deal: Value,
    },
    /// Chance after the deal, or cards that moved between players.
    Event {
        /// The number of the round.
        round: u32,
        /// The game's own fields, `event` among them.
        #[serde(flatten)]
        event: Value,
    },
    /// A seat chose.
    Decision {
        /// The number of the round.
        round: u32,
        /// Who chose.
        seat: Seat,
        /// The phase of the round.
        phase: String,
        /// Every legal move.
        legal: Vec<String>,
        /// The chosen one.
        choice: String,
    },
    /// A round ended; one entry per seat.
    Payoff {
        /// The number of the round.
        round: u32,
        /// Finishing places, 1 is best.
        place: Vec<u8>,
        /// Points of the game's own scoring.
        points: Vec<i32>,
        /// What a learner maximises.
        reward: Vec<f32>,
    },
}

impl Line {
    /// The payoff line of a finished round.
    pub(crate) fn payoff(round: u32, payoff: &Payoff) -> Self {
        let seats = usize::from(payoff.seats);
        Self::Payoff {
            round,
            place: payoff.place[..seats].to_vec(),
            points: payoff.points[..seats].to_vec(),
            reward: payoff.reward[..seats].to_vec(),
        }
    }
}
