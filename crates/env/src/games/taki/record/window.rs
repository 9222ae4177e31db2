//! A +3 in an imagined game: somebody thinks about an answer, answers, or nobody does.

use super::draws::Draws;
use super::hidden::{Hidden, Place};
use super::play;
use crate::game::{Shadow, Told};
use crate::games::taki::Round;
use crate::games::taki::deck::{self, Card, bit};
use crate::games::taki::moves::Move;
use crate::games::taki::table::{Answer, Stage};
use crate::ground::Seat;

/// Whether what was told says that a +3 of `player` is settled: all others drew, or he won.
pub(super) fn is_settled(told: &Told<'_>, player: Seat) -> bool {
    told.events_of("settled").chain(told.events_of("won")).next().is_some()
        || told.events_of("draw").any(|event| event["seat"] != player.0)
}

/// Whether a seat holds an answer, or could.
fn answers(round: &Round, seat: Seat) -> bool {
    round.own[seat.index()].hand.once & round.table.answers(seat) != 0
}

/// It is `seat` that is asked about the +3 on the table. Who was asked before has declined, unnoticed.
pub(super) fn ask(hidden: &mut Hidden<'_>, seat: Seat) -> Result<(), String> {
    let viewer = hidden.viewer;
    let round = &mut *hidden.round;
    let player = round.table.turn;
    let later = |seat: Seat| round.table.steps(player, seat);
    let own = round.own[viewer.index()].answer;
    let problem = if seat == player {
        Some(format!("seat {} laid the +3 itself", seat.0))
    } else if seat == viewer {
        let nothing = own == Answer::Declined || !answers(round, viewer);
        nothing.then(|| format!("seat {} has no answer to the +3, or has declined it", viewer.0))
    } else {
        let first = viewer != player && answers(round, viewer) && own != Answer::Declined;
        if own == Answer::Asked || first && later(viewer) < later(seat) {
            Some(format!("seat {} is asked before seat {}, and has not answered", viewer.0, seat.0))
        } else if own == Answer::Declined && later(seat) < later(viewer) {
            Some(format!("seat {} was asked before seat {}, and declined", seat.0, viewer.0))
        } else {
            None
        }
    };
    if let Some(problem) = problem {
        return Err(problem);
    }
    for (other, own) in round.own.iter_mut().enumerate() {
        if other != viewer.index() {
            own.answer = Answer::Nothing;
        }
    }
    round.own[seat.index()].answer = Answer::Asked;
    round.asked = seat;
    Ok(())
}

/// Somebody is to be asked about a +3, or somebody else after the viewer declined, whom the viewer does not know
/// of: one who can be it holds an answer. The player of the +3 must not hold cards with one of the faces `lacks`.
pub(super) fn keep_open(hidden: &mut Hidden<'_>, lacks: u64) -> Result<(), String> {
    let (viewer, table) = (hidden.viewer, hidden.round.table);
    let player = table.turn;
    let me = table.steps(player, viewer);
    let declines = hidden.round.own[viewer.index()].answer == Answer::Asked;
    let asked = !declines && viewer != player && answers(hidden.round, viewer);
    let steps = if declines { me + 1..table.players() } else { 1..if asked { me } else { table.players() } };
    let others = steps.map(|steps| table.after(player, steps)).filter(|&seat| seat != viewer);
    for seat in others {
        if answers(hidden.round, seat) {
            return Ok(());
        }
        let cards =
            [deck::BREAKER, deck::KING].into_iter().filter(|&card| table.answers(seat) & bit(card) != 0);
        for card in cards {
            if give(hidden, seat, card, lacks) {
                return Ok(());
            }
        }
    }
    if asked {
        return Ok(());
    }
    Err("nobody can answer the +3, so that all others draw: their draws are not told".to_owned())
}

/// Gives a hidden card to a seat, if it may hold it.
fn give(hidden: &mut Hidden<'_>, seat: Seat, card: Card, lacks: u64) -> bool {
    let player = Place::Hand(hidden.round.table.turn);
    let Some(own) = hidden.guessed(seat).cards().next() else { return false };
    let elsewhere = hidden.find(|place, found| found == card && place != player);
    let Some(mut found) = elsewhere.or_else(|| hidden.find(|_, found| found == card)) else { return false };
    if found.0 == player {
        // He gets another card that he may hold.
        let other = hidden.find(|place, other| place != player && other != card && lacks & bit(other) == 0);
        let Some(other) = other else { return false };
        hidden.exchange(found, other);
        found.0 = other.0;
    }
    if found.0 != Place::Hand(seat) {
        hidden.exchange((Place::Hand(seat), own), found);
    }
    true
}

/// A +3 that waits for an answer: it is the viewer who is asked, or everybody declined, or somebody thinks.
pub(super) fn settle(shadow: &mut Shadow<Round>, told: &Told<'_>, draws: &Draws) -> Result<(), String> {
    let viewer = shadow.seat;
    while shadow.round.table.stage == Stage::Window {
        if !is_settled(told, shadow.round.table.turn) {
            return if told.turn { ask(&mut Hidden::of(&mut shadow.round, viewer), viewer) } else { Ok(()) };
        }
        let asked = shadow.round.asked;
        if asked == viewer {
            return Err(format!("seat {} can answer the +3, and has not been asked", viewer.0));
        }
        play(shadow, asked, Move::Decline.id(), draws)?;
    }
    Ok(())
}
