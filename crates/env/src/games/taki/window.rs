//! A +3 and the answers to it. Only who holds an answer is asked, and nobody else may notice.

use super::Round;
use super::deck::{self, Card};
use super::ending;
use super::moves::Move;
use super::pile::{give, has_emptied, lay};
use super::rules::Plus3Last;
use super::state::Happened;
use super::table::{Answer, Next, Stage};
use crate::ground::Seat;

/// Cards that a +3 costs.
const THREE: u32 = 3;

/// A +3 lies on the table.
pub(super) fn open(round: &mut Round) {
    let table = &mut round.table;
    table.stage = Stage::Window;
    if has_emptied(round) && round.table.rules.plus3_last == Plus3Last::WinsAtOnce {
        let seat = round.table.turn;
        if ending::go_out(round, seat) {
            return;
        }
        round.table.remained = None;
    }
    // Only a +3 that answers one can be a decision too many; it is settled as if nobody could answer it.
    if round.table.decisions > round.table.rules.limit() {
        settle(round);
    } else {
        ask_from(round, 1);
    }
}

/// Asks the first player who can answer, this many steps after the player of the +3 or later.
fn ask_from(round: &mut Round, steps: u8) {
    for steps in steps..round.table.players() {
        let seat = round.table.after(round.table.turn, steps);
        let own = &mut round.own[seat.index()];
        if own.hand.once & round.table.answers(seat) != 0 {
            own.answer = Answer::Asked;
            round.asked = seat;
            return;
        }
    }
    settle(round);
}

/// Nobody answers: all but the player of the +3 draw.
fn settle(round: &mut Round) {
    close(round);
    let player = round.table.turn;
    let mut drawn = false;
    for steps in 1..round.table.players() {
        let seat = round.table.after(player, steps);
        drawn |= give(round, seat, THREE) > 0;
    }
    // Whoever knows that somebody was asked learns from this, or from the draws, that it is over.
    if !drawn {
        round.log.add(Happened::Settled);
    }
    ending::end_turn(round, 0);
}

/// Nobody is asked any more.
fn close(round: &mut Round) {
    round.own.iter_mut().for_each(|own| own.answer = Answer::Nothing);
    round.asked = Seat(0);
}

/// A player answers, or declines.
pub(super) fn play(round: &mut Round, chosen: Move) {
    let seat = round.asked;
    match chosen {
        Move::Breaker => break_it(round, seat),
        Move::King => cancel(round, seat),
        Move::Plus3 => answer_in_kind(round, seat),
        Move::Decline => {
            round.own[seat.index()].answer = Answer::Declined;
            let next = round.table.steps(round.table.turn, seat) + 1;
            ask_from(round, next);
        }
        Move::Colored(..)
        | Move::Change(_)
        | Move::Super(_)
        | Move::Draw
        | Move::Close
        | Move::LeaveOpen
        | Move::EndTurn
        | Move::Declare
        | Move::Silent
        | Move::Catch
        | Move::LetGo => chosen.misplaced(),
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
    let next = Next { seat: round.table.after(player, 1), king: false, plus3: false };
    ending::pass_on(round, (left == 1).then_some(seat), next);
}

fn cancel(round: &mut Round, seat: Seat) {
    round.table.symbol = None;
    take_over(round, seat, deck::KING, Next { seat, king: true, plus3: false });
}

/// The next player's +3 takes the place of the one on the table.
fn answer_in_kind(round: &mut Round, seat: Seat) {
    take_over(round, seat, deck::PLUS3, Next { seat, king: false, plus3: true });
}

/// The next player lays a card that ends the turn of the player of the +3, and it is their turn.
fn take_over(round: &mut Round, seat: Seat, card: Card, next: Next) {
    close(round);
    lay(round, seat, card);
    let player = round.table.turn;
    let left = round.table.remained;
    if has_emptied(round) && ending::go_out(round, player) {
        return;
    }
    round.table.turn = seat;
    round.table.remained = Some(round.table.sizes[seat.index()]);
    let last = left == Some(1) && round.table.sizes[player.index()] == 1;
    ending::pass_on(round, last.then_some(player), next);
}
