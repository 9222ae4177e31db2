//! The roster script of a session, which says who joins and leaves before which round, and the order of seats
//! afterwards.

use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::{RosterChange, RulesError};
use cardsharp_engine::{MAX_SEATS, Seat, choices};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Largest number of changes in a session.
pub const MOST_EVENTS: usize = 24;
/// Largest number of players at a table.
pub const MOST_PLAYERS: usize = 8;
/// The session ends when fewer players are left.
pub const FEWEST_PLAYERS: u32 = 3;

/// A player who joins or leaves just before a round. In JSON `{"round": 3, "join": 4}`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Text", into = "Text")]
pub struct ScriptEntry {
    /// The number of the round, from 2.
    pub round: u16,
    /// The seat that joins or leaves.
    pub change: RosterChange,
}

impl ScriptEntry {
    /// The JSON schema of a script.
    pub(super) fn script_schema() -> Value {
        let number = |least: u32, most: u32| json!({ "type": "integer", "minimum": least, "maximum": most });
        let event = |change: &str| {
            json!({
                "type": "object", "properties": { "round": number(2, 65_535), change: number(0, MAX_SEATS as u32 - 1) },
                "required": ["round", change], "additionalProperties": false,
            })
        };
        let events = json!({ "oneOf": [event("join"), event("leave")] });
        json!({ "type": "array", "items": events, "maxItems": MOST_EVENTS, "default": [] })
    }
}

impl Default for ScriptEntry {
    fn default() -> Self {
        Self { round: 0, change: RosterChange::Leave(Seat(0)) }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    round: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    join: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leave: Option<Seat>,
}

impl TryFrom<Text> for ScriptEntry {
    type Error = &'static str;

    fn try_from(text: Text) -> Result<Self, Self::Error> {
        let change = match (text.join, text.leave) {
            (Some(seat), None) => RosterChange::Join(seat),
            (None, Some(seat)) => RosterChange::Leave(seat),
            _ => return Err("expected either `join` or `leave`"),
        };
        Ok(Self { round: text.round, change })
    }
}

impl From<ScriptEntry> for Text {
    fn from(ScriptEntry { round, change }: ScriptEntry) -> Self {
        match change {
            RosterChange::Join(seat) => Self { round, join: Some(seat), leave: None },
            RosterChange::Leave(seat) => Self { round, join: None, leave: Some(seat) },
        }
    }
}

/// The changes just before a round: first all leaves, then all joins, each in the order of the script.
fn changes(script: &[ScriptEntry], round: u16) -> impl Iterator<Item = RosterChange> + '_ {
    let now = move |event: &&ScriptEntry| event.round == round;
    let all = move || script.iter().filter(now).map(|event| event.change);
    let leaves = |change: &RosterChange| matches!(change, RosterChange::Leave(_));
    all().filter(leaves).chain(all().filter(move |change| !leaves(change)))
}

/// The rounds with changes before them, in ascending order.
fn rounds(script: &[ScriptEntry]) -> impl Iterator<Item = u16> + '_ {
    let next = |after: u16| {
        let later = script.iter().map(|event| event.round);
        later.filter(|&round| round > after).min()
    };
    std::iter::successors(next(0), move |&round| next(round))
}

/// The seats that play after the changes before a round.
fn changed(script: &[ScriptEntry], round: u16, mut present: Positions) -> Positions {
    for change in changes(script, round) {
        match change {
            RosterChange::Leave(seat) => present = present.without(seat.0),
            RosterChange::Join(seat) => present.insert(seat.0),
        }
    }
    present
}

/// The first round that is canceled because too few players are left; `None` if there is none. `players` play in the
/// first round.
pub fn ends_before(players: u8, script: &[ScriptEntry]) -> Option<u16> {
    let mut present = Positions::first(players);
    rounds(script).find(|&round| {
        present = changed(script, round, present);
        present.len() < FEWEST_PLAYERS
    })
}

/// Checks that a script is possible if `players` play in the first round.
///
/// # Errors
/// The impossible change, and the reason.
pub fn check(players: u8, script: &[ScriptEntry]) -> Result<(), RulesError> {
    let wrong = |round: u16, change: RosterChange, expected: String| {
        let given = format!("what it is (round {round}: {change})");
        Err(RulesError::invalid("roster_script", given, expected))
    };
    // Check these even for changes after the end of the session.
    for &ScriptEntry { round, change } in script {
        let (RosterChange::Join(seat) | RosterChange::Leave(seat)) = change;
        if round < 2 {
            return wrong(round, change, "players change between rounds, so from round 2 on".to_owned());
        }
        if seat.index() >= MAX_SEATS {
            return wrong(round, change, format!("no seat is above {}", MAX_SEATS - 1));
        }
    }
    let mut present = Positions::first(players);
    let mut known = players;
    for round in rounds(script) {
        for change in changes(script, round) {
            let wrong = |expected: String| wrong(round, change, expected);
            match change {
                RosterChange::Leave(seat) if !present.has(seat.0) => {
                    return wrong("who leaves must be at the table".to_owned());
                }
                RosterChange::Leave(seat) => present = present.without(seat.0),
                RosterChange::Join(seat) if seat.0 > known => {
                    return wrong(format!("the next new player is seat {known}"));
                }
                RosterChange::Join(seat) if present.has(seat.0) => {
                    return wrong("who joins must not be at the table already".to_owned());
                }
                RosterChange::Join(_) if present.len() as usize == MOST_PLAYERS => {
                    return wrong(format!("a table has at most {MOST_PLAYERS} players"));
                }
                RosterChange::Join(seat) => {
                    present.insert(seat.0);
                    known = known.max(seat.0 + 1);
                }
            }
        }
        if present.len() < FEWEST_PLAYERS {
            return Ok(());
        }
    }
    Ok(())
}

// Joining and leaving between rounds, and the order of seats afterwards.

choices! {
    /// Where a newcomer is placed.
    JoinPolicy {
        /// In the middle: half of the others, rounded up, sit above the newcomer.
        Middle,
        /// Newcomers start at the bottom.
        Serf,
        /// All players draw for their places.
        Redraw,
        /// The newcomer draws a card. It sets how many places above the bottom the newcomer sits.
        Random,
    }
}

/// The order of seats from the Tahimi down.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub players: u8,
    /// The seat at each position; 0 beyond the players.
    pub seats: [Seat; MAX_SEATS],
}

/// The changes before a round.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RoundRoster {
    /// The order after the changes.
    pub order: Order,
    /// The seats that left.
    pub left: Positions,
    /// The seats that joined.
    pub joined: Positions,
    /// Whether all players drew for new places.
    pub redrawn: bool,
}

/// Applies the changes before round `round`: players leave and join.
pub fn apply(
    script: &[ScriptEntry],
    policy: JoinPolicy,
    round: u16,
    mut order: Order,
    rng: &mut DealRng,
) -> RoundRoster {
    let (mut left, mut joined, mut redrawn) = (Positions(0), Positions(0), false);
    for change in changes(script, round) {
        match change {
            RosterChange::Leave(seat) => {
                order.remove(seat);
                left.insert(seat.0);
            }
            RosterChange::Join(seat) => {
                let players = order.players;
                joined.insert(seat.0);
                match policy {
                    JoinPolicy::Middle => order.insert(seat, players.div_ceil(2)),
                    JoinPolicy::Serf => order.insert(seat, players),
                    JoinPolicy::Redraw => {
                        order.insert(seat, players);
                        rng.draw(|draw| draw.shuffle(&mut order.seats[..usize::from(players) + 1]));
                        redrawn = true;
                    }
                    JoinPolicy::Random => {
                        let card = rng.draw(|draw| draw.below(13)) as u8;
                        order.insert(seat, drawn_place(players, card));
                    }
                }
            }
        }
    }
    RoundRoster { order, left, joined, redrawn }
}

/// The position of a new player who draws rank `card` (0 is a two, 12 an ace) at a table of `players` others. Every
/// three ranks move the player one place up from the bottom.
pub fn drawn_place(players: u8, card: u8) -> u8 {
    players - (card / 3).min(players)
}

impl Order {
    fn remove(&mut self, seat: Seat) {
        let players = usize::from(self.players);
        if let Some(position) = self.seats[..players].iter().position(|&s| s == seat) {
            self.seats.copy_within(position + 1..players, position);
            self.seats[players - 1] = Seat(0);
            self.players -= 1;
        }
    }

    fn insert(&mut self, seat: Seat, position: u8) {
        let (players, position) = (usize::from(self.players), usize::from(position));
        self.seats.copy_within(position..players, position + 1);
        self.seats[position] = seat;
        self.players += 1;
    }
}
