//! Exposed cards and revolutions in an event log of a seat that does not see all hands.

use cardsharp_climbing::record::card_told;
use cardsharp_climbing::{Trick, random_card};
use cardsharp_engine::game::{Play, Shadow, Told, Turn};
use cardsharp_engine::{ActionId, Seat};

use super::{hold, taxes, words};
use crate::Round;
use crate::deck::{Cards, JESTER, from_text, rank_name};
use crate::moves::Move;
use crate::opening;
use crate::rules::TaxVisibility;
use crate::table::{Ask, ExposedFate, Stage};

/// Arranges the hidden hands before the taxes. They must lead to the tributes in the event log. If the seat notices
/// that a player is considering a revolution, one hidden hand must have both Jesters.
pub(super) fn arrange(round: &mut Round, viewer: Seat, told: &Told<'_>) -> Result<(), String> {
    taxes::tributes_told(round, viewer, told)?;
    let me = round.table.position[viewer.index()];
    let first_deal = round.table.first_deal_revolution();
    let may_call = |&position: &u8| position != me && (!first_deal || position == round.table.greater_peon());
    // A seat with a Jester knows that no player has both. Then play must continue, and the missing lines are an error.
    if is_waiting(round, viewer, told)
        && round.own[usize::from(me)].hand.0[JESTER] == 0
        && let Some(holder) = (0..round.table.players()).find(may_call)
    {
        hold(round, viewer, holder, &both_jesters(), |_| false).map_err(words)?;
    }
    Ok(())
}

/// Whether `viewer` sees neither taxes nor play begin in these lines, although it would notice.
fn is_waiting(round: &Round, viewer: Seat, told: &Told<'_>) -> bool {
    let table = &round.table;
    let sees_tributes = table.taxes() && table.rules.tax_visibility == TaxVisibility::Seen;
    if sees_tributes {
        told.events_of("tribute").next().is_none()
    } else {
        table.position[viewer.index()] == 0 && !told.turn
    }
}

fn both_jesters() -> Cards {
    let mut both = Cards::NONE;
    both.0[JESTER] = 2;
    both
}

/// Declines the revolution that another player is considering, unless the viewer would have noticed what follows.
pub(super) fn go_on(shadow: &mut Shadow<Round>, told: &Told<'_>) -> Result<(), String> {
    let (round, viewer) = (&mut shadow.round, shadow.seat);
    let Turn::Decide(holder) = round.turn() else { return Ok(()) };
    if round.table.stage != Stage::Dealt || holder == viewer || is_waiting(round, viewer, told) {
        return Ok(());
    }
    taxes::tributes_told(round, viewer, told)?;
    shadow.play(holder, Move::DeclineRevolution.id())
}

/// Applies the Greater Dalmuti's decision about the exposed card.
pub(super) fn misdeal(
    shadow: &mut Shadow<Round>,
    seat: Seat,
    action: ActionId,
    told: &Told<'_>,
) -> Result<(), String> {
    let mut right = shadow.round;
    let to_peon = Move::of(action) == Some(Move::MisdealToPeon);
    if right.table.stage == Stage::Misdeal {
        if to_peon {
            let card = replacement(&mut right, shadow.seat, told)?;
            opening::replace(&mut right, card);
        }
        arrange(&mut right, shadow.seat, told)?;
        let fate = if to_peon { ExposedFate::ToPeon } else { ExposedFate::Kept };
        opening::decide_misdeal(&mut right, fate);
    }
    shadow.play_and(seat, action, |round| *round = right)
}

/// The card that the Greater Peon gives for the exposed one: from the event log, or a random one.
fn replacement(round: &mut Round, viewer: Seat, told: &Told<'_>) -> Result<usize, String> {
    let peon = round.table.greater_peon();
    let event = told.events_of("misdeal").find(|event| event.get("replacement").is_some());
    let Some(event) = event else {
        let hand = round.own[usize::from(peon)].hand;
        return Ok(round.rng.draw(|draw| random_card(&hand, draw)));
    };
    let card = card_told(event, "replacement", from_text)?;
    if round.table.position[viewer.index()] != peon {
        hold(round, viewer, peon, &Cards::one(card), |_| false)
            .map_err(|lack| format!("`replacement`: {}", words(lack)))?;
    } else if round.own[usize::from(peon)].hand.0[card] == 0 {
        return Err(format!("`replacement`: the Greater Peon holds no {}", rank_name(card)));
    }
    Ok(card)
}

/// Gives both Jesters to `caller`, who calls a revolution, and goes back to that decision. Undoes the hidden choices
/// made since.
pub(super) fn give_jesters(round: &mut Round, caller: Seat, viewer: Seat) -> Result<(), String> {
    let table = &round.table;
    let (position, me) = (table.position[caller.index()], table.position[viewer.index()]);
    if table.first_deal_revolution() && position != table.greater_peon() {
        return Err("only the Greater Peon may call a revolution in this first hand".to_owned());
    }
    if table.stage != Stage::Dealt && (me == 0 || !may_still_be_called(round)) {
        return Err(format!("seat {} calls a revolution, but not before the first tax or card", caller.0));
    }
    hold(round, viewer, position, &both_jesters(), |_| false)
        .map_err(|lack| format!("seat {} calls a revolution: {}", caller.0, words(lack)))?;
    round.own.iter_mut().for_each(|own| (own.partner, own.ask) = (None, Ask::Nothing));
    round.table.stage = Stage::Dealt;
    round.ask(position, Ask::Revolution);
    Ok(())
}

/// Whether taxes or play have begun without anything that the other players could notice.
fn may_still_be_called(round: &Round) -> bool {
    let table = &round.table;
    match table.stage {
        Stage::Taxes => {
            let sealed = table.rules.tax_visibility == TaxVisibility::Sealed;
            sealed && table.exchange.is_none() && round.own.iter().all(|own| own.given == Cards::NONE)
        }
        Stage::Play => table.first_deal_revolution() && table.trick == Trick::new(table.players()),
        Stage::Misdeal | Stage::Dealt => false,
    }
}
