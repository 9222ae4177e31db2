//! A +3 in an imagined game: somebody thinks about an answer, answers, or nobody does.

use super::draws::Draws;
use super::hidden::{Hidden, Place};
use super::play;
use crate::game::{Shadow, Told, cards_in};
use crate::games::taki::Round;
use crate::games::taki::deck::{self, Card, bit};
use crate::games::taki::moves::Move;
use crate::games::taki::rules::LastCard;
use crate::games::taki::table::{Answer, Stage, Table};
use crate::ground::Seat;

/// Cards that a player draws for a last card that was not announced, before a +3 that answered theirs is carried out.
pub(super) type Penalty = Option<(Seat, u64)>;

/// The penalty that follows from this choice.
pub(super) fn penalty(table: &Table, chosen: Move) -> Penalty {
    let seat = match (table.stage, chosen) {
        (Stage::LastCard { seat, .. }, Move::Silent) if table.rules.last_card == LastCard::Declare => seat,
        (Stage::Catch { silent, .. }, Move::Catch) => silent,
        _ => return None,
    };
    Some((seat, table.rules.last_card_penalty.into()))
}

/// Whether what was told says that a +3 of `player` is settled: all others drew, beyond a penalty, or the player won.
pub(super) fn is_settled(told: &Told<'_>, player: Seat, penalty: Penalty) -> bool {
    let draws = |seat: Option<Seat>| {
        let of_others = told.events_of("draw").filter(move |event| event["seat"] != player.0);
        let of_seat = of_others.filter(move |event| seat.is_none_or(|seat| event["seat"] == seat.0));
        of_seat.map(|event| event["count"].as_u64().unwrap_or_else(|| cards_in(&event["cards"]) as u64))
    };
    // A damaged record may hold any count.
    let sum = |seat: Option<Seat>| draws(seat).fold(0, u64::saturating_add);
    let paid = penalty.map_or(0, |(seat, cards)| sum(Some(seat)).min(cards));
    told.events_of("settled").chain(told.events_of("won")).next().is_some() || sum(None) > paid
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

/// The player of the +3 that others may answer once `seat` has chosen this, if there is one then.
pub(super) fn stays_open(table: &Table, seat: Seat, chosen: Move) -> Option<Seat> {
    match (table.stage, chosen) {
        // The player of the first +3 says "last card" before.
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

/// Whether the player of the +3 on the table is asked for their last card once it is answered.
fn says_last_card(table: &Table) -> bool {
    let left = table.sizes[table.turn.index()];
    table.rules.last_card != LastCard::Auto && table.remained == Some(1) && left == 1
}

/// Somebody is to be asked about a +3 of `player`, or somebody else after the viewer declined, whom the viewer does not
/// know of: one who can be it holds an answer. The player of the +3 must not hold cards with one of the faces `lacks`.
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

/// Gives a hidden card to a seat, if it may hold it, so that it can answer the +3 that `player` is about to lay.
fn give(hidden: &mut Hidden<'_>, (player, seat): (Seat, Seat), card: Card, lacks: u64) -> bool {
    let lays = hidden.round.own[player.index()].hand.count(card) == 1 && card == deck::PLUS3;
    let player = Place::Hand(player);
    let Some(own) = hidden.guessed(seat).cards().next() else { return false };
    let elsewhere = hidden.find(|place, found| found == card && place != player);
    let found = elsewhere.or_else(|| hidden.find(|_, found| found == card).filter(|_| !lays));
    let Some(mut found) = found else { return false };
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
