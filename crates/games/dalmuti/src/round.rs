//! The state of a hand and of a session, and the game interface: whose turn it is, and which module handles each move.

use cardsharp_climbing as climbing;
use cardsharp_engine::game::{Payoff, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{ActionId, MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};

use super::actions::Move;
use super::rules::{Rules, Seating};
use super::state::{Ask, PrivateState, PublicState, Stage};
use super::{opening, play};

/// What a seat may know: the public state and its private state.
pub type View<'a> = cardsharp_engine::game::View<'a, Round>;

/// The state that a hand passes on to the next one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
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
    pub(super) table: PublicState,
    /// Private states by position.
    pub(super) own: [PrivateState; MAX_SEATS],
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

impl Play for Round {
    const NAME: &'static str = "dalmuti";
    const TITLE: &'static str = "The Great Dalmuti";
    const VIEW: u32 = 3;
    type Rules = Rules;
    type SessionState = SessionState;
    type PublicState = PublicState;
    type PrivateState = PrivateState;

    fn seating(rules: &Rules, draw: &mut Draw) -> SessionState {
        let order = climbing::seated(rules.players, rules.seating == Seating::Random, draw);
        SessionState { hands: 0, order, points: [0; MAX_SEATS] }
    }

    fn deal(rules: &Rules, standing: &SessionState, rng: DealRng) -> Self {
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

    fn table(&self) -> &PublicState {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &PrivateState {
        &self.own[usize::from(self.table.position[seat.index()])]
    }

    #[inline(always)]
    fn play(&mut self, action: ActionId) {
        match Move::of(action) {
            Some(Move::Play(set)) => play::set(self, set.set()),
            Some(Move::Pass) => play::pass(self),
            Some(Move::Give(rank)) => opening::pick(self, rank),
            Some(Move::NoExchange) => opening::keep_cards(self),
            Some(Move::Exchange(with)) => opening::propose(self, with),
            Some(Move::CallRevolution) => opening::call_revolution(self),
            Some(Move::DeclineRevolution) => opening::decline_revolution(self),
            Some(Move::KeepMisdeal) => opening::keep_misdeal(self),
            Some(Move::MisdealToPeon) => opening::misdeal_to_peon(self),
            None => {}
        }
    }

    fn settle(&self, standing: &mut SessionState) -> Payoff {
        play::settle(self, standing)
    }
}
