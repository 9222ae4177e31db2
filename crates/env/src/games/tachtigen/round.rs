//! The round itself: what it is made of, whose turn it is, and which file plays which move.

use serde::{Deserialize, Serialize};

use super::deck::Card;
use super::rules::{PLAYERS, Rules};
use super::table::{Each, Own, SEATS, Stage, Table};
use super::{actions, auction, ladder, score};
use crate::game::{Contract, Deals, Payoff, Play, Turn};
use crate::ground::hands::Positions;
use crate::ground::rng::{DealRng, Draw};
use crate::ground::{ActionId, Seat};

/// What one deal hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Deals played.
    pub deals: u16,
    /// Who deals next.
    pub dealer: Seat,
    /// Points so far by seat.
    pub scores: Each<i32>,
}

/// One deal.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    pub(super) table: Table,
    pub(super) own: Each<Own>,
    /// The card that was dealt to the middle.
    pub(super) kitty: Card,
    pub(super) rng: DealRng,
}

impl Play for Round {
    const NAME: &'static str = "tachtigen";
    const TITLE: &'static str = "Tachtigen";
    const VIEW: u32 = 2;
    const CONTRACTS: &'static [&'static str] = &ladder::CONTRACTS;
    type Rules = Rules;
    type Standing = Standing;
    type Table = Table;
    type Own = Own;

    fn seating(_: &Rules, draw: &mut Draw) -> Standing {
        Standing { deals: 0, dealer: Seat(draw.below(u32::from(PLAYERS)) as u8), scores: [0; SEATS] }
    }

    fn deal(rules: &Rules, standing: &Standing, rng: DealRng) -> Self {
        auction::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        Positions::first(PLAYERS)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.table.stage == Stage::Over { Turn::RoundOver } else { Turn::Decide(self.table.turn) }
    }

    #[inline]
    fn table(&self) -> &Table {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &Own {
        &self.own[seat.index()]
    }

    #[inline]
    fn play(&mut self, action: ActionId) {
        actions::apply(self, action);
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        score::settle(self, standing)
    }

    fn contract(&self) -> Option<Contract> {
        let (seat, kind) = (self.table.bidder()?, self.table.contract()?.number());
        score::outcome(self).map(|outcome| Contract { seat, kind, made: outcome.made })
    }
}

impl Deals for Round {}
