//! The state of a round and of a session.

use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};

use super::table::{Ask, Own, Table};

/// What a seat may know: the public state and its private state.
pub type View<'a> = cardsharp_engine::game::View<'a, Round>;

/// The state that a round passes on to the next one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Number of rounds played.
    pub rounds: u16,
    /// Number of players in the last round; before the first round, in the first.
    pub players: u8,
    /// The seat at each position, the Tahimi first; 0 beyond the players.
    pub order: [Seat; MAX_SEATS],
    /// Points so far by seat, one for each player beaten in each round; 0 beyond the seats.
    pub points: [i32; MAX_SEATS],
    /// Number of rounds in which each seat went out first; 0 beyond the seats.
    pub tahimi: [u16; MAX_SEATS],
}

/// The complete state of a round.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    pub(super) table: Table,
    /// Private states by position.
    pub(super) own: [Own; MAX_SEATS],
    /// The position that decides before the play.
    pub(super) asking: u8,
    pub(super) rng: DealRng,
}

impl Round {
    pub(super) fn ask(&mut self, position: u8, ask: Ask) {
        self.asking = position;
        self.own[usize::from(position)].ask = ask;
    }

    pub(super) fn players(&self) -> usize {
        usize::from(self.table.players)
    }
}
