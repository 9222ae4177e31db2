//! The state of a hand and of a session.

use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};

use super::table::{Ask, Own, Table};

/// What a seat may know: the public state and its private state.
pub type View<'a> = cardsharp_engine::game::View<'a, Round>;

/// The state that a hand passes on to the next one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Number of hands played.
    pub hands: u16,
    /// The seat at each position, the Greater Dalmuti first; 0 beyond the players.
    pub order: [Seat; MAX_SEATS],
    /// Points so far by seat; 0 beyond the players.
    pub points: [i32; MAX_SEATS],
}

/// The complete state of a hand.
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
        usize::from(self.table.players())
    }
}
