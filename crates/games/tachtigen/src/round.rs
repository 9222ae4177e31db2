//! [`Play`] for Tachtigen: deals, turns, and which module handles a move.

use cardsharp_engine::game::{Contract, Payoff, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{ActionId, Seat};

use super::moves::Move;
use super::rules::{PLAYERS, Rules};
use super::seats::SEATS;
use super::table::{Asked, Own, Round, Stage, Standing, Table};
use super::{auction, contract, ladder, play, score};

impl Play for Round {
    const NAME: &'static str = "tachtigen";
    const TITLE: &'static str = "Tachtigen";
    const VIEW: u32 = 3;
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

    #[inline(always)]
    fn play(&mut self, action: ActionId) {
        let Some(chosen) = Move::of(action) else { return };
        match chosen {
            Move::Play(card) => play::play(self, card),
            Move::Call => play::call(&mut self.table),
            Move::Discard(card) => contract::put_aside(self, card),
            Move::Ask(card) => contract::ask(&mut self.table, Asked::Card(card)),
            Move::Solo => contract::ask(&mut self.table, Asked::Solo),
            Move::Trump(trump) => contract::name_trump(&mut self.table, trump),
            Move::Bid(bid) => auction::bid(&mut self.table, bid),
            Move::Pass => auction::pass(self),
            Move::Hold => auction::hold(self),
            Move::Claim(claim) => play::claim(&mut self.table, claim.points()),
        }
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        score::settle(self, standing)
    }

    fn contract(&self) -> Option<Contract> {
        let (seat, kind) = (self.table.bidder()?, self.table.contract()?.number());
        score::outcome(self).map(|outcome| Contract { seat, kind, made: outcome.made })
    }
}
