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
    const NAME: &'static str = "tahimi";
    const TITLE: &'static str = "Tahimi";
    const VIEW: u32 = 3;
    type Rules = Rules;
    type Standing = Standing;
    type Table = Table;
    type Own = Own;

    fn seating(rules: &Rules, draw: &mut Draw) -> Standing {
        let order = climbing::seated(rules.players, rules.seating == Seating::Random, draw);
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
        &self.own[usize::from(self.table.position_of(seat))]
    }

    #[inline(always)]
    fn play(&mut self, action: ActionId) {
        match Move::of(action) {
            Some(Move::Play(set)) => play::set(self, set.set()),
            Some(Move::Pass) => play::pass(self),
            Some(Move::Give(rank)) => tax::give_back(self, rank),
            Some(Move::PayJokers(jokers)) => tax::pay_jokers(self, jokers.get() as u8),
            Some(Move::Decree(entry)) => opening::decree(self, entry),
            None => {}
        }
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        play::settle(self, standing)
    }
}
