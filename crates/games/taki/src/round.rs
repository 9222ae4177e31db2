//! The course of a game: whose turn it is, which function handles each move, and what the finished game is worth.

use cardsharp_engine::game::{Actions, Payoff, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{ActionId, Seat};

use super::actions::Move;
use super::rules::{Ranking, Rules};
use super::state::{GameEnd, PrivateState, PublicState, Round, SessionState, Stage};
use super::{opening, turn};

impl Play for Round {
    const NAME: &'static str = "taki";
    const TITLE: &'static str = "TAKI";
    const VIEW: u32 = 3;
    type Rules = Rules;
    type SessionState = SessionState;
    type PublicState = PublicState;
    type PrivateState = PrivateState;

    fn seating(_: &Rules, _: &mut Draw) -> SessionState {
        SessionState::FRESH
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
            Stage::Window => turn::play_window(self, chosen),
            Stage::LastCard { seat, next } => turn::play_last_card(self, seat, next, chosen),
            Stage::Catch { silent, asked, next } => {
                turn::play_catch(self, [silent, asked], next, chosen);
            }
            Stage::Over(_) => chosen.misplaced(),
        }
    }

    fn settle(&self, standing: &mut SessionState) -> Payoff {
        let table = &self.table;
        let players = usize::from(table.players());
        let mut payoff = Payoff { seats: table.players(), ..Payoff::default() };
        let Stage::Over(end) = table.stage else { return payoff };
        let mut wins = table.wins;
        for seat in 0..players {
            let before = (0..players).filter(|&other| is_before(table, end, other, seat)).count();
            let behind = (0..players).filter(|&other| is_before(table, end, seat, other)).count();
            payoff.place[seat] = before as u8 + 1;
            // Players who share a place get the average reward of the places that they take together.
            let shared = before..players - behind;
            let sum: f32 = shared.clone().map(|place| reward_at(table.rules.ranking, place, players)).sum();
            payoff.reward[seat] = if end == GameEnd::Stalemate { 0.0 } else { sum / shared.len() as f32 };
            let won = end == GameEnd::Won(Seat(seat as u8));
            payoff.points[seat] = i32::from(won);
        }
        wins.iter_mut().zip(payoff.points).for_each(|(wins, won)| *wins += won);
        *standing = SessionState { games: table.game, wins };
        payoff
    }
}

// What a finished game is worth.

/// Distance from winning: stage first, then cards in hand. Lower is nearer.
fn distance(table: &PublicState, seat: usize) -> (u8, u8) {
    (table.stages[seat], table.sizes[seat])
}

/// Returns whether seat `a` ranks before seat `b` at the end of the game.
fn is_before(table: &PublicState, end: GameEnd, a: usize, b: usize) -> bool {
    let nearer = distance(table, a) < distance(table, b);
    match (end, table.rules.ranking) {
        (GameEnd::Stalemate, _) => false,
        (GameEnd::Won(winner), Ranking::WinnerOnly) => winner.index() == a && a != b,
        (GameEnd::Won(winner), Ranking::HandSize) => {
            a != b && winner.index() != b && (winner.index() == a || nearer)
        }
        (GameEnd::CutOff, Ranking::HandSize) => nearer,
        (GameEnd::CutOff, Ranking::WinnerOnly) => {
            let best = |seat| {
                let all = 0..usize::from(table.players());
                all.map(|other| distance(table, other)).min() == Some(distance(table, seat))
            };
            best(a) && !best(b)
        }
    }
}

/// The reward for a place (0 is best) that no two players share.
fn reward_at(ranking: Ranking, place: usize, players: usize) -> f32 {
    let others = (players - 1) as f32;
    match ranking {
        Ranking::WinnerOnly if place == 0 => 1.0,
        Ranking::WinnerOnly => -1.0 / others,
        Ranking::HandSize => 1.0 - 2.0 * place as f32 / others,
    }
}
