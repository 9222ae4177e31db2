//! Joining and leaving between rounds, and the order of seats afterwards.

use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::RosterChange;
use cardsharp_engine::{MAX_SEATS, Seat};

use super::rules::{JoinPolicy, Rules};
use super::script::changes;

/// The order of seats from the Tahimi down.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Number of players.
    pub players: u8,
    /// The seat at each position; 0 beyond the players.
    pub seats: [Seat; MAX_SEATS],
}

/// The changes before a round.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Changed {
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
pub fn apply(rules: &Rules, round: u16, mut order: Order, rng: &mut DealRng) -> Changed {
    let (mut left, mut joined, mut redrawn) = (Positions(0), Positions(0), false);
    for change in changes(rules.roster_script.as_slice(), round) {
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
