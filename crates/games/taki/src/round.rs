//! One game: the types that make it up, and [`Play`], which knows whose turn it is and which module handles a
//! move.

use cardsharp_engine::game::{Actions, Payoff, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{ActionId, MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};

use super::actions::Move;
use super::deck::{Card, DECK};
use super::rules::Rules;
use super::state::{PrivateState, PublicState, SEATS, Stage};
use super::{ending, opening, turn, window};

/// What one game hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    /// Games played.
    pub games: u16,
    /// Games won by each seat.
    pub wins: [i32; MAX_SEATS],
}

/// One game, or one tournament.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    pub(super) table: PublicState,
    pub(super) own: [PrivateState; SEATS],
    /// The seat that is asked about a +3; seat 0 if no seat is asked.
    pub(super) asked: Seat,
    /// The draw pile: the first `table.pile` cards, the top one last. The cards after them were drawn.
    pub(super) pile: [Card; DECK],
    pub(super) log: Log,
    pub(super) rng: DealRng,
}

/// A result of the last action, for events.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Happened {
    /// A player drew this many cards.
    Drew(Seat, u8),
    /// A player finished a stage of the tournament and drew the cards of the next one.
    Rose(Seat),
    /// A +3 was settled, but there was no card left to draw.
    Settled,
}

/// The most results of one action: ten players draw, and two of them also start a new stage.
const MOST: usize = SEATS + 4;

/// The results of the last action, in order.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Log {
    entries: [Happened; MOST],
    len: u8,
}

impl Default for Log {
    fn default() -> Self {
        Self { entries: [Happened::Settled; MOST], len: 0 }
    }
}

impl Log {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn add(&mut self, happened: Happened) {
        if let Some(entry) = self.entries.get_mut(usize::from(self.len)) {
            *entry = happened;
            self.len += 1;
        }
    }

    pub(super) fn entries(&self) -> &[Happened] {
        &self.entries[..usize::from(self.len)]
    }
}

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
