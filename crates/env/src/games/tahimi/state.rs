//! What a round is made of.

use serde::{Deserialize, Serialize};

use super::table::{Ask, Own, Table};
use crate::ground::rng::DealRng;
use crate::ground::{MAX_SEATS, Seat};

/// What a seat may know.
pub type View<'a> = crate::game::View<'a, Round>;

/// What one round hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Rounds played.
    pub rounds: u16,
    /// Players of the last round (before the first: of the first).
    pub players: u8,
    /// The seat at each position, the Tahimi first; 0 beyond the players.
    pub order: [Seat; MAX_SEATS],
    /// Points so far by seat, one for each player beaten in each round; 0 beyond the seats.
    pub points: [i32; MAX_SEATS],
    /// Rounds in which each seat went out first; 0 beyond the seats.
    pub tahimi: [u16; MAX_SEATS],
}

/// One round.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    pub(super) table: Table,
    /// By position.
    pub(super) own: [Own; MAX_SEATS],
    /// Who decides before the play, as a position.
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
