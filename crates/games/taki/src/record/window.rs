//! A +3 in a rebuilt game: a seat the viewer may not know of is asked for an answer, answers, or all decline.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Shadow, Told, cards_in};

use super::draws::Draws;
use super::hidden::{Hidden, Place};
use super::play;
use crate::Round;
use crate::deck::{self, Card, bit};
use crate::moves::Move;
use crate::rules::LastCard;
use crate::table::{Answer, Stage, Table};

/// The seat and number of cards of a penalty for a last card that was not announced. The player pays before
/// the +3 that answered theirs is carried out.
pub(super) type Penalty = Option<(Seat, u64)>;

/// Returns the penalty that this choice causes.
pub(super) fn penalty(table: &Table, chosen: Move) -> Penalty {
    let seat = match (table.stage, chosen) {
        (Stage::LastCard { seat, .. }, Move::Silent) if table.rules.last_card == LastCard::Declare => seat,
        (Stage::Catch { silent, .. }, Move::Catch) => silent,
        _ => return None,
    };
    Some((seat, table.rules.last_card_penalty.into()))
}

/// Returns whether the events show that a +3 of `player` is settled. Others drew more than the penalty, a
/// player won, or `settled` says so.
pub(super) fn is_settled(told: &Told<'_>, player: Seat, penalty: Penalty) -> bool {
    let draws = |seat: Option<Seat>| {
        let of_others = told.events_of("draw").filter(move |event| event["seat"] != player.0);
        let of_seat = of_others.filter(move |event| seat.is_none_or(|seat| event["seat"] == seat.0));
        of_seat.map(|event| event["count"].as_u64().unwrap_or_else(|| cards_in(&event["cards"]) as u64))
    };
    // A damaged event log may contain any count.
    let sum = |seat: Option<Seat>| draws(seat).fold(0, u64::saturating_add);
    let paid = penalty.map_or(0, |(seat, cards)| sum(Some(seat)).min(cards));
    told.events_of("settled").chain(told.events_of("won")).next().is_some() || sum(None) > paid
}

/// Returns whether a seat holds a card that can answer the +3.
fn answers(round: &Round, seat: Seat) -> bool {
    round.own[seat.index()].hand.once & round.table.answers(seat) != 0
}

/// Makes `seat` the one that is asked about the +3 on the table. Seats asked before have declined secretly.
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

/// Returns the player of the +3 that others may answer after `seat` makes this choice, if there is one.
pub(super) fn stays_open(table: &Table, seat: Seat, chosen: Move) -> Option<Seat> {
    match (table.stage, chosen) {
        // The player of the first +3 has to announce their last card first.
        (Stage::Window, Move::Plus3) if says_last_card(table) => None,
        (Stage::Window, Move::Decline) => Some(table.turn),
        (Stage::LastCard { next, .. }, Move::Declare) if next.plus3 => Some(next.seat),
        (Stage::LastCard { next, .. }, Move::Silent) if next.plus3 => {
            (table.rules.last_card == LastCard::Declare).then_some(next.seat)
        }
        (Stage::Catch { next, .. }, Move::Catch) if next.plus3 => Some(next.seat),
        (Stage::Catch { silent, asked, next }, Move::LetGo) if next.plus3 => {
            (table.after(asked, 1) == silent).then_some(next.seat)
        }
        (_, Move::Plus3) => Some(seat),
        _ => None,
    }
}

/// Returns whether the player of the +3 on the table will be asked about their last card after an answer.
fn says_last_card(table: &Table) -> bool {
    let left = table.sizes[table.turn.index()];
    table.rules.last_card != LastCard::Auto && table.remained == Some(1) && left == 1
}

/// Makes sure that a +3 of `player` still waits for an answer. If the viewer is not asked themselves, another
/// seat that can be asked must hold an answer. The player of the +3 must not hold cards with one of the faces
/// in `lacks`.
pub(super) fn keep_open(hidden: &mut Hidden<'_>, player: Seat, lacks: u64) -> Result<(), String> {
    let (viewer, table) = (hidden.viewer, hidden.round.table);
    let can =
        |round: &Round, seat: Seat| round.own[seat.index()].hand.once & table.answers_to(player, seat) != 0;
    let me = table.steps(player, viewer);
    let declines = table.turn == player && hidden.round.own[viewer.index()].answer == Answer::Asked;
    let asked = !declines && viewer != player && can(hidden.round, viewer);
    let steps = if declines { me + 1..table.players() } else { 1..if asked { me } else { table.players() } };
    let others = steps.map(|steps| table.after(player, steps)).filter(|&seat| seat != viewer);
    for seat in others {
        if can(hidden.round, seat) {
            return Ok(());
        }
        let cards = [deck::BREAKER, deck::KING, deck::PLUS3];
        for card in cards.into_iter().filter(|&card| table.answers_to(player, seat) & bit(card) != 0) {
            if give(hidden, (player, seat), card, lacks) {
                return Ok(());
            }
        }
    }
    if asked {
        return Ok(());
    }
    Err("no player can answer the +3, so all others draw: their draws are missing".to_owned())
}

/// Gives a hidden card to `seat`, so that it can answer the +3 that `player` is about to lay. Returns false
/// if no suitable card is left.
fn give(hidden: &mut Hidden<'_>, (player, seat): (Seat, Seat), card: Card, lacks: u64) -> bool {
    let lays = hidden.round.own[player.index()].hand.count(card) == 1 && card == deck::PLUS3;
    let player = Place::Hand(player);
    let Some(own) = hidden.guessed(seat).cards().next() else { return false };
    let elsewhere = hidden.find(|place, found| found == card && place != player);
    let found = elsewhere.or_else(|| hidden.find(|_, found| found == card).filter(|_| !lays));
    let Some(mut found) = found else { return false };
    if found.0 == player {
        // The player of the +3 gets another card in exchange, none of `lacks`.
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

/// Resolves a +3 that waits for an answer: asks the viewer, makes the hidden seats decline, or leaves it
/// open.
pub(super) fn settle(
    shadow: &mut Shadow<Round>,
    told: &Told<'_>,
    draws: &Draws,
    penalty: Penalty,
) -> Result<(), String> {
    let viewer = shadow.seat;
    while shadow.round.table.stage == Stage::Window {
        if !is_settled(told, shadow.round.table.turn, penalty) {
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
