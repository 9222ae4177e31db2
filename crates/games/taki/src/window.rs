//! A +3 and the answers to it. The game asks only players who hold an answer, and the others must not notice
//! that.

use cardsharp_engine::Seat;

use super::Round;
use super::actions::Move;
use super::deck::{self, Card};
use super::ending;
use super::rules::Plus3Last;
use super::state::{Answer, Happened, Next, Stage};
use super::turn::{give, has_emptied, lay};

/// Number of cards that each player draws for a +3.
const THREE: u32 = 3;

/// Handles a +3 that was just laid: asks the players who can answer, or settles it.
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
    // Only a +3 that answers another +3 can exceed the limit of decisions. Settle it without asking.
    if round.table.decisions > round.table.rules.limit() {
        settle(round);
    } else {
        ask_from(round, 1);
    }
}

/// Asks the first player who can answer, starting `steps` steps after the player of the +3. Settles the +3 if
/// there is none.
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

/// Settles a +3 without an answer: all players except its own draw.
fn settle(round: &mut Round) {
    close(round);
    let player = round.table.turn;
    let mut drawn = false;
    for steps in 1..round.table.players() {
        let seat = round.table.after(player, steps);
        drawn |= give(round, seat, THREE) > 0;
    }
    // Without draws, this event is the only sign that the +3 is over.
    if !drawn {
        round.log.add(Happened::Settled);
    }
    ending::end_turn(round, 0);
}

fn close(round: &mut Round) {
    round.own.iter_mut().for_each(|own| own.answer = Answer::Nothing);
    round.asked = Seat(0);
}

/// Plays the answer of the asked player, or their refusal.
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
    // The player of the +3 has drawn three cards, so only the player of the Breaker can be down to one.
    let next = Next { seat: round.table.after(player, 1), king: false, plus3: false };
    ending::pass_on(round, (left == 1).then_some(seat), next);
}

fn cancel(round: &mut Round, seat: Seat) {
    round.table.symbol = None;
    take_over(round, seat, deck::KING, Next { seat, king: true, plus3: false });
}

/// Answers the +3 on the table with another +3, which replaces it.
fn answer_in_kind(round: &mut Round, seat: Seat) {
    take_over(round, seat, deck::PLUS3, Next { seat, king: false, plus3: true });
}

/// Lays the next player's answer. It ends the turn of the player of the +3, and the turn passes to the next
/// player.
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
