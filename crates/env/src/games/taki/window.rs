//! A +3 and the answers to it. Only who holds an answer is asked, and nobody else may notice.

use super::Round;
use super::actions::{self, Play};
use super::deck;
use super::pile::{give, has_emptied, lay};
use super::rules::{KingVsPlus3, Plus3Last};
use super::table::{Answer, NOT_PLAYED, Next, Stage, Table};
use super::{ending, turn};
use crate::ground::{ActionId, Seat};

/// Cards that a +3 costs.
const THREE: u32 = 3;

/// Whether a King of this player would cancel the +3 on the table.
#[inline]
pub fn king_counts(table: &Table, seat: Seat) -> bool {
    table.rules.king_vs_plus3 == KingVsPlus3::NextPlayer && table.after(table.turn, 1) == seat
}

/// The cards with which this player could answer the +3 on the table, as faces.
#[inline]
pub fn answers(table: &Table, seat: Seat) -> u64 {
    let king = if king_counts(table, seat) { deck::bit(deck::KING) } else { 0 };
    deck::bit(deck::BREAKER) | king
}

/// A +3 lies on the table.
pub fn open(round: &mut Round) {
    let table = &mut round.table;
    table.stage = Stage::Window;
    if has_emptied(round) && round.table.rules.plus3_last == Plus3Last::WinsAtOnce {
        let seat = round.table.turn;
        if ending::go_out(round, seat) {
            return;
        }
        round.table.remained = NOT_PLAYED;
    }
    ask_from(round, 1);
}

/// Asks the first player who can answer, this many steps after the player of the +3 or later.
fn ask_from(round: &mut Round, steps: u8) {
    for steps in steps..round.table.players() {
        let seat = round.table.after(round.table.turn, steps);
        let own = &mut round.own[seat.index()];
        if own.hand.once & answers(&round.table, seat) != 0 {
            own.answer = Answer::Asked;
            round.asked = seat;
            return;
        }
    }
    close(round);
    let player = round.table.turn;
    for steps in 1..round.table.players() {
        let seat = round.table.after(player, steps);
        give(round, seat, THREE);
    }
    ending::end_turn(round, 0);
}

/// Nobody is asked any more.
fn close(round: &mut Round) {
    round.own.iter_mut().for_each(|own| own.answer = Answer::Nothing);
    round.asked = Seat(0);
}

/// A player answers, or declines.
pub fn play(round: &mut Round, action: ActionId) {
    let seat = round.asked;
    match actions::what(action) {
        Play::Wild(deck::BREAKER) => break_it(round, seat),
        Play::Wild(deck::KING) => cancel(round, seat),
        _ => {
            round.own[seat.index()].answer = Answer::Declined;
            let next = round.table.steps(round.table.turn, seat) + 1;
            ask_from(round, next);
        }
    }
}

fn break_it(round: &mut Round, seat: Seat) {
    close(round);
    lay(round, seat, deck::BREAKER);
    let player = round.table.turn;
    give(round, player, THREE);
    let left = round.table.sizes[seat.index()];
    if left == 0 && ending::go_out(round, seat) {
        return;
    }
    // The player of the +3 has drawn, so that it is the other one who may be down to one card.
    let next = Next { seat: round.table.after(player, 1), king: false };
    ending::pass_on(round, (left == 1).then_some(seat), next);
}

fn cancel(round: &mut Round, seat: Seat) {
    close(round);
    lay(round, seat, deck::KING);
    let player = round.table.turn;
    let left = round.table.remained;
    round.table.symbol = None;
    if has_emptied(round) && ending::go_out(round, player) {
        return;
    }
    round.table.turn = seat;
    round.table.remained = round.table.sizes[seat.index()];
    let last = left == 1 && round.table.sizes[player.index()] == 1;
    ending::pass_on(round, last.then_some(player), Next { seat, king: true });
}

/// Goes on with the turn of a player who cancelled a +3.
pub fn go_on(round: &mut Round) {
    turn::free(round);
}
