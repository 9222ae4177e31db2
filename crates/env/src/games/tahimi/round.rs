//! The round itself: what it is made of, whose turn it is, and which file plays which move.

use serde::{Deserialize, Serialize};

use super::rules::{Rules, Seating};
use super::table::{Ask, Own, Stage, Table};
use super::{opening, play, tax};
use crate::game::{Deals, Payoff, Play, Turn};
use crate::ground::hands::Positions;
use crate::ground::rng::{DealRng, Draw};
use crate::ground::{ActionId, MAX_SEATS, Seat};

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

impl Play for Round {
    const NAME: &'static str = "tahimi";
    const TITLE: &'static str = "Tahimi";
    const VIEW: u32 = 2;
    type Rules = Rules;
    type Standing = Standing;
    type Table = Table;
    type Own = Own;

    fn seating(rules: &Rules, draw: &mut Draw) -> Standing {
        let mut order = [Seat(0); MAX_SEATS];
        let players = &mut order[..usize::from(rules.players)];
        players.iter_mut().enumerate().for_each(|(p, seat)| *seat = Seat(p as u8));
        if rules.seating == Seating::Random {
            draw.shuffle(players);
        }
        Standing { rounds: 0, players: rules.players, order, points: [0; MAX_SEATS], tahimi: [0; MAX_SEATS] }
    }

    fn deal(rules: &Rules, standing: &Standing, rng: DealRng) -> Self {
        opening::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        self.table.present()
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.table.stage != Stage::Play {
            Turn::Decide(self.table.order[usize::from(self.asking)])
        } else if self.table.trick.is_over() {
            Turn::RoundOver
        } else {
            Turn::Decide(self.table.order[usize::from(self.table.trick.turn)])
        }
    }

    fn table(&self) -> &Table {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &Own {
        &self.own[usize::from(self.table.position[seat.index()])]
    }

    #[inline]
    fn play(&mut self, action: ActionId) {
        if self.table.stage == Stage::Play {
            play::play(self, action);
            return;
        }
        match self.own[usize::from(self.asking)].ask {
            Ask::Decree => opening::play_decree(self, action),
            Ask::TaxJokers => tax::play_jokers(self, action),
            Ask::Return => tax::play_return(self, action),
            Ask::Nothing => {}
        }
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        play::settle(self, standing)
    }
}

impl Deals for Round {}
