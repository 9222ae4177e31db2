//! Taxes as a player is told of them: choices of the others that he does not see are made anyhow.

use super::seen::{Seen, is_over};
use crate::game::{Actions, Play as _, Shadow, Told, Turn};
use crate::games::tahimi::state::Round;
use crate::games::tahimi::table::{Ask, Stage};
use crate::ground::ActionId;
use crate::ground::mask::{self, Mask};

/// Goes on with the taxes as they were told.
///
/// # Errors
/// They cannot go on so.
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

/// Nobody is told what others choose in the taxes.
fn ensure_hidden(told: &Told<'_>) -> Result<(), String> {
    match told.choice {
        None => Ok(()),
        Some((seat, _)) => Err(format!(
            "taxes are under way: the choice of seat {} is secret, and no card is played",
            seat.0
        )),
    }
}

/// Others chose unseen, and the round is this one.
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

/// Some choice of whoever must make one.
fn first_legal(round: &Round) -> Option<ActionId> {
    let Turn::Decide(seat) = round.turn() else { return None };
    mask::actions(Round::legal(round.view(seat)).words()).next()
}

/// The round after what was told to who sits it out: any choices were made.
///
/// # Errors
/// Somebody must choose, but can choose nothing.
pub(super) fn from_outside(round: &Round, told: &Told<'_>) -> Result<Round, String> {
    let mut after = *round;
    while is_over(told) && after.table.stage == Stage::Taxes {
        after.play(first_legal(&after).ok_or("no player can give a card back")?);
    }
    Ok(after)
}
