//! What a hand is made of.

use serde::{Deserialize, Serialize};

use super::table::{Ask, Own, Table};
use crate::ground::rng::DealRng;
use crate::ground::{MAX_SEATS, Seat};

/// What a seat may know.
pub type View<'a> = crate::game::View<'a, Round>;

/// What one hand hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Hands played.
    pub hands: u16,
    /// The seat at each position, the Greater Dalmuti first; 0 beyond the players.
    pub order: [Seat; MAX_SEATS],
    /// Points so far by seat; 0 beyond the players.
    pub points: [i32; MAX_SEATS],
}

/// One hand.
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
        usize::from(self.table.players())
    }
}
