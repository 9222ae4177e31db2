//! The taxes in an event log. Hidden choices of the other players are filled in arbitrarily.

use cardsharp_engine::ActionId;
use cardsharp_engine::game::{Actions, Play as _, Shadow, Told, Turn};
use cardsharp_engine::mask::{self, Mask};

use super::seen::{Seen, is_over};
use crate::state::Round;
use crate::table::{Ask, Stage};

/// Applies the next step of the taxes.
///
/// # Errors
/// No consistent round has this step.
pub(super) fn follow(shadow: &mut Shadow<Round>, told: &Told<'_>) -> Result<(), String> {
    let (round, seat) = (shadow.round, shadow.seat);
    if !round.present().has(seat.0) {
        ensure_hidden(told)?;
        let after = from_outside(&round, told)?;
        return go_on(shadow, after);
    }
    let mut seen = Seen::of(&round, seat);
    let Some((_, action)) = told.choice.filter(|&(chooser, _)| chooser == seat) else {
        ensure_hidden(told)?;
        if seen.own.ask != Ask::Nothing && !told.events.is_empty() {
            return Err(format!("seat {} has not chosen yet: expected a line `move`", seat.0));
        }
        let after = seen.told(told, round.rng)?;
        return go_on(shadow, after);
    };
    let action = action.ok_or("a seat knows its own choice: expected `choice`")?;
    seen.answer(action)?;
    if round.own(seat).ask != seen.own.ask {
        shadow.round = seen.round(round.rng)?;
    }
    if !super::may(&shadow.round, seat, action) {
        return shadow.play(seat, action);
    }
    seen.chosen(action);
    let after = seen.told(told, round.rng)?;
    shadow.play_and(seat, action, |round| *round = after)
}

/// Refuses choices of other players: in the taxes they are secret.
fn ensure_hidden(told: &Told<'_>) -> Result<(), String> {
    match told.choice {
        None => Ok(()),
        Some((seat, _)) => Err(format!(
            "taxes are under way: the choice of seat {} is secret, and no card is played",
            seat.0
        )),
    }
}

/// Replaces the round with `after`, which follows unseen choices of other players.
fn go_on(shadow: &mut Shadow<Round>, after: Round) -> Result<(), String> {
    match (shadow.round.turn(), first_legal(&shadow.round)) {
        (Turn::Decide(other), Some(action)) if other != shadow.seat => {
            shadow.play_and(other, action, |round| *round = after)
        }
        _ => {
            shadow.round = after;
            Ok(())
        }
    }
}

/// The first legal action of the player to decide.
fn first_legal(round: &Round) -> Option<ActionId> {
    let Turn::Decide(seat) = round.turn() else { return None };
    mask::actions(Round::legal(round.view(seat)).words()).next()
}

/// The round for a seat that sits out. Makes arbitrary choices up to the end of the taxes if the event log says that
/// they are over.
///
/// # Errors
/// A player must decide but has no legal action.
pub(super) fn from_outside(round: &Round, told: &Told<'_>) -> Result<Round, String> {
    let mut after = *round;
    while is_over(told) && after.table.stage == Stage::Taxes {
        after.play(first_legal(&after).ok_or("no player can give a card back")?);
    }
    Ok(after)
}
