//! Lines of traces and event logs: what happens at a table.
//!
//! A *trace* contains everything, for a referee who checks it. A seat's *event log* contains what that seat may
//! know. Spectators get what everyone sees. All three come from the same walk through a session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::session::Session;
use crate::base::list::sort_few;
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

/// How lines are compared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Comparing {
    /// Values must be equal as they are written.
    Exactly,
    /// For lines that other programs wrote: fractions to six digits, cards in any order and letter case.
    Loosely,
}

/// Returns the first difference of two lines: its path, the expected value, the value found.
pub fn difference(expected: &Value, found: &Value, how: Comparing) -> Option<(String, String, String)> {
    let missing = || "missing".to_owned();
    match (expected, found) {
        (Value::Object(want), Value::Object(have)) => {
            // Compare the kind of line first: differences that follow from a wrong kind would only confuse.
            let keys = ["line"].into_iter().chain(want.keys().chain(have.keys()).map(String::as_str));
            keys.into_iter().find_map(|key| match (want.get(key), have.get(key)) {
                (Some(want), Some(have)) => {
                    difference(want, have, how).map(|(at, w, h)| (join(key, &at), w, h))
                }
                (Some(want), None) => Some((key.to_owned(), want.to_string(), missing())),
                (None, Some(have)) => Some((key.to_owned(), missing(), have.to_string())),
                (None, None) => None,
            })
        }
        (Value::Array(want), Value::Array(have)) => {
            (0..want.len().max(have.len())).find_map(|i| match (want.get(i), have.get(i)) {
                (Some(want), Some(have)) => {
                    let differs = difference(want, have, how);
                    differs.map(|(at, w, h)| (join(&format!("[{i}]"), &at), w, h))
                }
                (want, have) => {
                    let text = |v: Option<&Value>| v.map_or_else(missing, Value::to_string);
                    Some((format!("[{i}]"), text(want), text(have)))
                }
            })
        }
        (want, have) if is_equal(want, have) || how == Comparing::Loosely && are_alike(want, have) => None,
        (want, have) => Some((String::new(), want.to_string(), have.to_string())),
    }
}

/// Whether two scalar values are equal. 1 and 1.0 are equal, because JavaScript writes both as 1.
fn is_equal(want: &Value, have: &Value) -> bool {
    match (want, have) {
        (Value::Number(one), Value::Number(other)) if one.is_f64() != other.is_f64() => {
            one.as_f64() == other.as_f64()
        }
        _ => want == have,
    }
}

/// Whether two numbers are equal except for rounding, or two texts have the same words in any order and letter
/// case.
fn are_alike(want: &Value, have: &Value) -> bool {
    match (want, have) {
        (Value::String(want), Value::String(have)) => {
            let sorted = |text: &str| {
                let mut words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
                sort_few(&mut words, |a, b| a < b);
                words
            };
            // Count first, so that long texts from outside are not sorted.
            let count = |text: &str| text.split_whitespace().count();
            count(want) == count(have) && sorted(want) == sorted(have)
        }
        _ => match (want.as_f64(), have.as_f64()) {
            (Some(want), Some(have)) => (want - have).abs() <= 1e-6 * want.abs().max(1.0),
            _ => false,
        },
    }
}

fn join(outer: &str, inner: &str) -> String {
    match inner {
        "" => outer.to_owned(),
        inner if inner.starts_with('[') => format!("{outer}{inner}"),
        inner => format!("{outer}.{inner}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named_by_its_path() {
        let found = |a: Value, b: Value| difference(&a, &b, Comparing::Exactly);
        let three = |a: &str, b: &str, c: &str| Some((a.to_owned(), b.to_owned(), c.to_owned()));
        assert_eq!(found(json!({"a": [1, 2]}), json!({"a": [1, 2]})), None);
        assert_eq!(found(json!({"a": [1, 2]}), json!({"a": [1, 3]})), three("a[1]", "2", "3"));
        assert_eq!(found(json!({"a": [{"b": 1}]}), json!({"a": [{}]})), three("a[0].b", "1", "missing"));
        assert_eq!(found(json!({"a": 1}), json!({"a": 1, "z": null})), three("z", "missing", "null"));
        assert_eq!(
            found(json!({"a": 1, "line": "x"}), json!({"a": 2, "line": "y"})),
            three("line", "\"x\"", "\"y\"")
        );
        assert_eq!(found(json!([1, 1.0]), json!([1.0, 1])), None);
        assert_eq!(found(json!([1]), json!([1.5])), three("[0]", "1", "1.5"));
        assert_eq!(found(json!([1]), json!([1, 2])), three("[1]", "missing", "2"));
    }

    #[test]
    fn what_others_wrote_is_compared_loosely() {
        let ours = json!({"cards": "3 4 J", "reward": [0.133_333_34, 1]});
        let loosely = |theirs: Value| difference(&ours, &theirs, Comparing::Loosely);
        let theirs = json!({"cards": " j 3  4", "reward": [0.133_333, 1.0]});
        assert_eq!(loosely(theirs.clone()), None);
        assert!(difference(&ours, &theirs, Comparing::Exactly).is_some());
        assert!(loosely(json!({"cards": "3 4 J", "reward": [0.1334, 1]})).is_some());
        assert!(loosely(json!({"cards": "3 3 4 J", "reward": [0.133_333_34, 1]})).is_some());
        let long = "J 4 3 ".repeat(200_000);
        assert!(loosely(json!({"cards": long, "reward": [0.133_333_34, 1]})).is_some());
    }

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
