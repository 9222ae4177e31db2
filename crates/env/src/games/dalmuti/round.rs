//! The round itself: what it is made of, whose turn it is, and which file plays which move.

use serde::{Deserialize, Serialize};

use super::rules::{Rules, Seating};
use super::table::{Ask, Own, Stage, Table};
use super::{opening, play, tax};
use crate::game::{Deals, Payoff, Play, Turn};
use crate::ground::hands::Positions;
use crate::ground::rng::{DealRng, Draw};
use crate::ground::{ActionId, MAX_SEATS, Seat};

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

impl Play for Round {
    const NAME: &'static str = "dalmuti";
    const TITLE: &'static str = "The Great Dalmuti";
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
        Standing { hands: 0, order, points: [0; MAX_SEATS] }
    }

    fn deal(rules: &Rules, standing: &Standing, rng: DealRng) -> Self {
        opening::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        Positions::first(self.table.players())
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
            Ask::Misdeal => opening::play_misdeal(self, action),
            Ask::Revolution => opening::play_revolution(self, action),
            Ask::Tax => tax::play_tax(self, action),
            Ask::Offer => tax::play_offer(self, action),
            Ask::Exchange => tax::play_exchange(self, action),
            Ask::Nothing => {}
        }
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        play::settle(self, standing)
    }
}

impl Deals for Round {}
