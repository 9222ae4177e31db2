//! The game interface: whose turn it is, and which module handles each move.

use cardsharp_climbing as climbing;
use cardsharp_engine::game::{Payoff, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{ActionId, MAX_SEATS, Seat};

use super::moves::Move;
use super::rules::{Rules, Seating};
use super::state::{Round, Standing};
use super::table::{Own, Stage, Table};
use super::{opening, play, tax};

impl Play for Round {
    const NAME: &'static str = "dalmuti";
    const TITLE: &'static str = "The Great Dalmuti";
    const VIEW: u32 = 3;
    type Rules = Rules;
    type Standing = Standing;
    type Table = Table;
    type Own = Own;

    fn seating(rules: &Rules, draw: &mut Draw) -> Standing {
        let order = climbing::seated(rules.players, rules.seating == Seating::Random, draw);
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

    #[inline(always)]
    fn play(&mut self, action: ActionId) {
        match Move::of(action) {
            Some(Move::Play(set)) => play::set(self, set.set()),
            Some(Move::Pass) => play::pass(self),
            Some(Move::Give(rank)) => tax::pick(self, rank),
            Some(Move::NoExchange) => tax::keep_cards(self),
            Some(Move::Exchange(with)) => tax::propose(self, with),
            Some(Move::CallRevolution) => opening::call_revolution(self),
            Some(Move::DeclineRevolution) => opening::decline_revolution(self),
            Some(Move::KeepMisdeal) => opening::keep_misdeal(self),
            Some(Move::MisdealToPeon) => opening::misdeal_to_peon(self),
            None => {}
        }
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        play::settle(self, standing)
    }
}
