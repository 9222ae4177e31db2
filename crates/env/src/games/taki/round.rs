//! The round itself: what it is made of, whose turn it is, and which file plays which move.

use serde::{Deserialize, Serialize};

use super::deck::{Card, DECK};
use super::pile::DrawLog;
use super::rules::Rules;
use super::table::{Own, SEATS, Stage, Table};
use super::{ending, last_card, opening, run, turn, window};
use crate::game::{Actions, Payoff, Play, Turn};
use crate::ground::hands::Positions;
use crate::ground::rng::{DealRng, Draw};
use crate::ground::{ActionId, MAX_SEATS, Seat};

/// What one game hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Games played.
    pub games: u16,
    /// Games won by each seat.
    pub wins: [i32; MAX_SEATS],
}

/// One game, or one tournament.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    pub(super) table: Table,
    /// By seat.
    pub(super) own: [Own; SEATS],
    /// Who is asked about a +3; seat 0 while nobody is.
    pub(super) asked: Seat,
    /// The draw pile, `table.pile` cards, the top one last. Behind it the cards that were drawn.
    pub(super) pile: [Card; DECK],
    pub(super) log: DrawLog,
    pub(super) rng: DealRng,
}

impl Play for Round {
    const NAME: &'static str = "taki";
    const TITLE: &'static str = "TAKI";
    const VIEW: u32 = 2;
    type Rules = Rules;
    type Standing = Standing;
    type Table = Table;
    type Own = Own;

    fn seating(_: &Rules, _: &mut Draw) -> Standing {
        ending::FRESH
    }

    fn deal(rules: &Rules, standing: &Standing, rng: DealRng) -> Self {
        opening::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        Positions::first(self.table.players())
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.table.stage {
            Stage::Turn | Stage::Run | Stage::Free | Stage::Owe => Turn::Decide(self.table.turn),
            Stage::Window => Turn::Decide(self.asked),
            Stage::LastCard { seat, .. } => Turn::Decide(seat),
            Stage::Catch { asked, .. } => Turn::Decide(asked),
            Stage::Over(_) => Turn::RoundOver,
        }
    }

    fn table(&self) -> &Table {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &Own {
        &self.own[seat.index()]
    }

    #[inline]
    fn play(&mut self, action: ActionId) {
        self.log.clear();
        self.table.decisions += u32::from(Self::is_public(action));
        match self.table.stage {
            Stage::Turn | Stage::Free | Stage::Owe => turn::play(self, action),
            Stage::Run => run::play(self, action),
            Stage::Window => window::play(self, action),
            Stage::LastCard { seat, next } => last_card::play_last_card(self, seat, next, action),
            Stage::Catch { silent, asked, next } => {
                last_card::play_catch(self, [silent, asked], next, action);
            }
            Stage::Over(_) => {}
        }
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        ending::settle(self, standing)
    }
}
