//! Lines of traces and event logs: what happens at a table.
//!
//! A *trace* contains everything, for a referee who checks it. A seat's *event log* contains what that seat may
//! know. Spectators get what everyone sees. All three come from the same walk through a session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use super::difference::{Comparing, difference};
use super::session::Session;
use crate::base::mask::{self, Mask};
use crate::base::rules::{RosterChange, Rules};
use crate::base::seed;
use crate::base::{ActionId, Seat};
use crate::game::{EventLog, Label, Payoff, Play, Turn};

/// The version of the trace format: raised when a line changes its meaning.
pub const TRACE: u32 = 1;

/// The version of event logs: raised when a line changes its meaning.
pub const PROTOCOL: u32 = 1;

/// The receiver of lines.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// One seat: what it may know, its own cards included.
    Seat(Seat),
    /// Spectators: what everyone sees.
    Everybody,
    /// A referee who checks the session afterwards: everything, as lines of a trace.
    Referee,
}

/// The first line of a trace: everything that determines the session, except the players' choices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the trace format. It rises when a line changes its meaning.
    pub format: u32,
    /// The name of the game, such as `taki`.
    pub game: String,
    /// Number of seats in the session, those who join later included.
    pub players: usize,
    /// Every option of the game.
    pub rules: Value,
    /// The seed of seating, deals and chance, from 0 to 2^53 - 1.
    #[serde(deserialize_with = "seed::read")]
    #[schemars(extend("maximum" = seed::MAX))]
    pub seed: u64,
    /// The name or path of the bot in each seat, for information.
    pub bots: Vec<String>,
    /// The deal of the first round, if it was chosen; absent otherwise. The seed determines all other deals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deal: Option<Value>,
}

/// The first line of an event log: everything known before the first round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Beginning {
    /// The version of the format of event logs. It rises when a line changes its meaning.
    pub protocol: u32,
    /// The name of the game, such as `taki`.
    pub game: String,
    /// The seat that receives this event log; absent in the event log of spectators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// Number of seats in the session, those who join later included.
    pub players: usize,
    /// The options of the game; those left out have their defaults.
    pub rules: Value,
    /// The name of the player in each seat; an empty list if the names are unknown.
    #[serde(default)]
    pub names: Vec<String>,
}

/// One line of a trace or an event log.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// The first line of a trace: how the session was set up.
    Header(Header),
    /// The first line of an event log: everything known before the first round.
    #[serde(rename = "header")]
    Beginning(Beginning),
    /// The start of a round with a decision before the deal (in event logs).
    Round {
        /// The number of the round, from 1.
        round: u32,
        /// Fields of the game: the seating.
        #[serde(flatten)]
        #[schemars(skip)]
        seated: Value,
    },
    /// The start of a round: everything dealt, in the fields of the game.
    Deal {
        /// The number of the round, from 1.
        round: u32,
        /// Fields of the game.
        #[serde(flatten)]
        #[schemars(skip)]
        deal: Value,
    },
    /// Chance after the deal, or cards that moved between players.
    Event {
        /// The number of the round.
        round: u32,
        /// Fields of the game, including `event`.
        #[serde(flatten)]
        #[schemars(skip)]
        event: Value,
    },
    /// A seat chose a move (in traces).
    Decision {
        /// The number of the round.
        round: u32,
        /// The seat that chose.
        seat: Seat,
        /// The phase of the round.
        phase: String,
        /// Every legal move, by name.
        legal: Vec<String>,
        /// The chosen move, by name.
        choice: String,
    },
    /// The seat that receives this event log must choose a move.
    Turn {
        /// The number of the round.
        round: u32,
        /// The phase of the round.
        phase: String,
    },
    /// A seat chose a move (in event logs).
    Move {
        /// The number of the round.
        round: u32,
        /// The seat that chose.
        seat: Seat,
        /// The move, by name; absent if this event log may only show that the seat chose.
        #[serde(skip_serializing_if = "Option::is_none")]
        choice: Option<String>,
    },
    /// A round ended. Each list has one entry per seat.
    Payoff {
        /// The number of the round.
        round: u32,
        /// Finishing places: 1 is best, 0 means that the seat sat the round out.
        place: Vec<u8>,
        /// Points of this round, by the scoring of the game.
        points: Vec<i32>,
        /// Rewards of this round, for learners.
        reward: Vec<f32>,
    },
    /// A player joins or leaves just before a round (in event logs).
    Change {
        /// The number of the round before which this happens.
        round: u32,
        /// The change and its seat, for example `join 4` or `leave 2`.
        choice: String,
    },
    /// The session is over (in event logs).
    End {
        /// The seed of seating, deals and chance, from 0 to 2^53 - 1. It is secret until the session is over.
        #[schemars(extend("maximum" = seed::MAX))]
        seed: u64,
    },
}

impl Line {
    /// Creates the payoff line of a finished round.
    pub fn payoff(round: u32, payoff: &Payoff) -> Self {
        let seats = usize::from(payoff.seats);
        Self::Payoff {
            round,
            place: payoff.place[..seats].to_vec(),
            points: payoff.points[..seats].to_vec(),
            reward: payoff.reward[..seats].to_vec(),
        }
    }

    /// Returns the line as JSON, with numbers as they are written.
    pub fn json(&self) -> Value {
        // Conversion through text keeps the short decimals of `f32` numbers. Lines are plain data, so writing
        // cannot fail.
        serde_json::to_string(self).and_then(|text| serde_json::from_str(&text)).unwrap_or(Value::Null)
    }
}

/// Returns the first line of an event log.
pub(crate) fn beginning<G: Play>(rules: &G::Rules, to: Audience, names: Vec<String>) -> Line {
    let seat = match to {
        Audience::Seat(seat) => Some(seat),
        Audience::Everybody | Audience::Referee => None,
    };
    let (game, players) = (G::NAME.to_owned(), rules.seats().into());
    Line::Beginning(Beginning { protocol: PROTOCOL, game, seat, players, rules: json!(rules), names })
}

/// Returns the lines at the end of a round: the payoff, and the end of the session after its last round.
pub(super) fn ended<G: Play>(session: &Session<G>, payoff: &Payoff) -> Vec<Line> {
    let mut lines = vec![Line::payoff(session.number(), payoff)];
    if session.is_last() {
        lines.push(Line::End { seed: session.seed() });
    }
    lines
}

/// Returns the lines at the start of a round.
pub(crate) fn begun<G: EventLog>(round: &G, number: u32, to: Audience) -> Vec<Line> {
    let mut lines = Vec::new();
    match (round.describe_deal(), to) {
        (Some(deal), _) => lines.push(dealt(round, number, deal, to)),
        (None, Audience::Referee) => {}
        (None, _) => lines.push(Line::Round { round: number, seated: round.seated() }),
    }
    events(None, round, number, to, &mut lines);
    turn(round, number, to, &mut lines);
    lines
}

/// Returns the lines of an action of `seat` that led from one state of a round to another.
pub(crate) fn moved<G: EventLog>(
    [before, after]: [&G; 2],
    seat: Seat,
    action: ActionId,
    number: u32,
    to: Audience,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let label = |action| Label::<G>::at(before.table(), action).to_string();
    match to {
        Audience::Referee => lines.push(Line::Decision {
            round: number,
            seat,
            phase: before.phase().to_owned(),
            legal: mask::actions(G::legal(before.view(seat)).words()).map(label).collect(),
            choice: label(action),
        }),
        to => {
            let seen = G::is_public(action) || to == Audience::Seat(seat);
            if seen || before.is_noticed(action) {
                lines.push(Line::Move { round: number, seat, choice: seen.then(|| label(action)) });
            }
        }
    }
    if !before.is_dealt()
        && let Some(deal) = after.describe_deal()
    {
        lines.push(dealt(after, number, deal, to));
    }
    events(Some(before), after, number, to, &mut lines);
    turn(after, number, to, &mut lines);
    lines
}

fn dealt<G: EventLog>(round: &G, number: u32, deal: Value, to: Audience) -> Line {
    let deal = match to {
        Audience::Referee => deal,
        to => round.conceal_deal(deal, viewer(round, to)),
    };
    Line::Deal { round: number, deal }
}

fn events<G: EventLog>(before: Option<&G>, after: &G, number: u32, to: Audience, lines: &mut Vec<Line>) {
    let viewer = viewer(after, to);
    for event in G::events(before, after) {
        let event = match to {
            Audience::Referee => Some(event),
            _ => G::conceal_event(event, viewer),
        };
        lines.extend(event.map(|event| Line::Event { round: number, event }));
    }
}

fn turn<G: EventLog>(round: &G, number: u32, to: Audience, lines: &mut Vec<Line>) {
    if let Turn::Decide(seat) = round.turn()
        && to == Audience::Seat(seat)
    {
        lines.push(Line::Turn { round: number, phase: round.phase().to_owned() });
    }
}

/// The seat whose hidden information the lines may contain. `None` if it sits the round out: then it sees what
/// everyone sees.
fn viewer<G: Play>(round: &G, to: Audience) -> Option<Seat> {
    match to {
        Audience::Seat(seat) if round.present().iter().any(|present| present == seat.0) => Some(seat),
        _ => None,
    }
}

/// Returns a change of players as event logs write it.
pub fn change_name(change: RosterChange) -> String {
    match change {
        RosterChange::Join(seat) => format!("join {}", seat.0),
        RosterChange::Leave(seat) => format!("leave {}", seat.0),
    }
}

/// Parses a change of players as event logs write it.
pub fn named_change(name: &str) -> Option<RosterChange> {
    let (what, seat) = name.split_once(' ')?;
    let seat = Seat(seat.parse().ok()?);
    match what {
        "join" => Some(RosterChange::Join(seat)),
        "leave" => Some(RosterChange::Leave(seat)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_players_are_read_as_they_are_written() {
        for change in [RosterChange::Join(Seat(4)), RosterChange::Leave(Seat(0))] {
            assert_eq!(named_change(&change_name(change)), Some(change));
        }
        for nonsense in ["", "join", "join x", "stay 3", "leave -1"] {
            assert_eq!(named_change(nonsense), None, "{nonsense}");
        }
    }
}
