//! Joining and leaving between rounds.

use serde::{Deserialize, Serialize};

use super::rules::{JoinPolicy, Rules};
use crate::ground::hands::Positions;
use crate::ground::rng::DealRng;
use crate::ground::rules::{RosterChange, RulesError};
use crate::ground::{MAX_SEATS, Seat};

/// Most changes in a session.
pub const MOST_EVENTS: usize = 24;
/// The largest table.
pub const MOST_PLAYERS: usize = 8;
/// With fewer players the session ends.
pub const FEWEST_PLAYERS: u32 = 3;

/// A player who joins or leaves just before a round. In JSON `{"round": 3, "join": 4}`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Text", into = "Text")]
pub struct Event {
    /// The number of the round, from 2.
    pub round: u16,
    /// Who joins or leaves.
    pub change: RosterChange,
}

impl Default for Event {
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

impl TryFrom<Text> for Event {
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

impl From<Event> for Text {
    fn from(Event { round, change }: Event) -> Self {
        match change {
            RosterChange::Join(seat) => Self { round, join: Some(seat), leave: None },
            RosterChange::Leave(seat) => Self { round, join: None, leave: Some(seat) },
        }
    }
}

/// The changes just before a round: leaves first, then joins, each in the order of the script.
fn changes(rules: &Rules, round: u16) -> impl Iterator<Item = RosterChange> + '_ {
    let now = move |event: &&Event| event.round == round;
    let all = move || rules.roster_script.as_slice().iter().filter(now).map(|event| event.change);
    let leaves = |change: &RosterChange| matches!(change, RosterChange::Leave(_));
    all().filter(leaves).chain(all().filter(move |change| !leaves(change)))
}

/// The rounds before which the script changes something, ascending.
fn rounds(rules: &Rules) -> impl Iterator<Item = u16> + '_ {
    let next = |after: u16| {
        let later = rules.roster_script.as_slice().iter().map(|event| event.round);
        later.filter(|&round| round > after).min()
    };
    std::iter::successors(next(0), move |&round| next(round))
}

/// Who plays after the changes of a round.
fn changed(rules: &Rules, round: u16, mut present: Positions) -> Positions {
    for change in changes(rules, round) {
        match change {
            RosterChange::Leave(seat) => present = present.without(seat.0),
            RosterChange::Join(seat) => present.insert(seat.0),
        }
    }
    present
}

/// The round that is not played any more because too few players are left, if there is one.
pub fn ends_before(rules: &Rules) -> Option<u16> {
    let mut present = Positions::first(rules.players);
    rounds(rules).find(|&round| {
        present = changed(rules, round, present);
        present.len() < FEWEST_PLAYERS
    })
}

/// Refuses a script that cannot be followed.
///
/// # Errors
/// The change that is impossible, and why.
pub fn check(rules: &Rules) -> Result<(), RulesError> {
    let mut present = Positions::first(rules.players);
    let mut known = rules.players;
    for round in rounds(rules) {
        for change in changes(rules, round) {
            let wrong = |expected: String| {
                let given = format!("what it is (round {round}: {change})");
                Err(RulesError::invalid("roster_script", given, expected))
            };
            let (RosterChange::Join(seat) | RosterChange::Leave(seat)) = change;
            if round < 2 {
                return wrong("players change between rounds, so from round 2 on".to_owned());
            }
            match change {
                RosterChange::Leave(_) if seat.0 >= known || !present.has(seat.0) => {
                    return wrong("who leaves must be at the table".to_owned());
                }
                RosterChange::Leave(_) => present = present.without(seat.0),
                RosterChange::Join(_) if usize::from(seat.0) >= MAX_SEATS || seat.0 > known => {
                    let most = MAX_SEATS - 1;
                    return wrong(format!(
                        "the next new player is seat {known}, and no seat is above {most}"
                    ));
                }
                RosterChange::Join(_) if present.has(seat.0) => {
                    return wrong("who joins must not be at the table already".to_owned());
                }
                RosterChange::Join(_) if present.len() as usize == MOST_PLAYERS => {
                    return wrong(format!("a table has at most {MOST_PLAYERS} players"));
                }
                RosterChange::Join(_) => {
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

/// Who sits where, from the Tahimi down.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Number of players.
    pub players: u8,
    /// The seat at each position; 0 beyond the players.
    pub seats: [Seat; MAX_SEATS],
}

/// What changed before a round.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The order after it.
    pub order: Order,
    /// The seats that left.
    pub left: Positions,
    /// The seats that joined.
    pub joined: Positions,
    /// Whether everybody drew for a new place.
    pub redrawn: bool,
}

/// Lets players leave and join before round `round`.
pub fn apply(rules: &Rules, round: u16, mut order: Order, rng: &mut DealRng) -> Changed {
    let (mut left, mut joined, mut redrawn) = (Positions(0), Positions(0), false);
    for change in changes(rules, round) {
        match change {
            RosterChange::Leave(seat) => {
                order.remove(seat);
                left.insert(seat.0);
            }
            RosterChange::Join(seat) => {
                let players = order.players;
                joined.insert(seat.0);
                match rules.join_policy {
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
    Changed { order, left, joined, redrawn }
}

/// The position of a newcomer to `players` others who draws rank `card` (0 is a two, 12 an ace): one
/// place further from the bottom for every three ranks.
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
