//! The course of a game: whose turn it is, and which module handles each move.

use cardsharp_engine::game::{Actions, Payoff, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{ActionId, Seat};

use super::actions::Move;
use super::rules::Rules;
use super::state::{PrivateState, PublicState, Round, SessionState, Stage};
use super::{ending, opening, turn, window};

impl Play for Round {
    const NAME: &'static str = "taki";
    const TITLE: &'static str = "TAKI";
    const VIEW: u32 = 3;
    type Rules = Rules;
    type SessionState = SessionState;
    type PublicState = PublicState;
    type PrivateState = PrivateState;

    fn seating(_: &Rules, _: &mut Draw) -> SessionState {
        ending::FRESH
    }

    fn deal(rules: &Rules, standing: &SessionState, rng: DealRng) -> Self {
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

    fn table(&self) -> &PublicState {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &PrivateState {
        &self.own[seat.index()]
    }

    #[inline(always)]
    fn play(&mut self, action: ActionId) {
        self.log.clear();
        self.table.decisions += u32::from(Self::is_public(action));
        let Some(chosen) = Move::of(action) else {
            debug_assert!(false, "there is no move {}", action.0);
            return;
        };
        match self.table.stage {
            Stage::Turn | Stage::Free | Stage::Owe => turn::play(self, chosen),
            Stage::Run => turn::play_run(self, chosen),
            Stage::Window => window::play(self, chosen),
            Stage::LastCard { seat, next } => ending::play_last_card(self, seat, next, chosen),
            Stage::Catch { silent, asked, next } => {
                ending::play_catch(self, [silent, asked], next, chosen);
            }
            Stage::Over(_) => chosen.misplaced(),
        }
    }

    fn settle(&self, standing: &mut SessionState) -> Payoff {
        ending::settle(self, standing)
    }
}
