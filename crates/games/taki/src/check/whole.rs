//! Consistency checks of a complete game.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Play;
use cardsharp_engine::rules::Rules as _;

use super::{ensure, owner, public};
use crate::Round;
use crate::deck::Cards;
use crate::table::{Answer, Own, SEATS, Stage};

/// Checks every invariant of the rules on a game. Recomputes everything from the cards.
///
/// # Errors
/// A description of the first violation, with the seat that it concerns.
pub(super) fn audit(round: &Round) -> Result<(), String> {
    let table = &round.table;
    table.rules.check().map_err(|error| error.to_string())?;
    public::check(table)?;
    let pile: Cards = round.pile[..usize::from(table.pile)].iter().copied().collect();
    let buried = table.buried.cards();
    ensure!(round.pile[..buried.len()] == *buried, "other cards are at the bottom of the draw pile");
    let mut all = table.discards.with(&pile);
    let mut shuffled = pile;
    for seat in 0..SEATS {
        let own = &round.own[seat];
        if seat >= usize::from(table.players()) {
            ensure!(*own == Own::NONE, "seat {seat} has no player, but private data");
            continue;
        }
        owner::check(round.view(Seat(seat as u8))).map_err(|error| format!("seat {seat}: {error}"))?;
        all = all.with(&own.hand);
        shuffled = shuffled.with(&own.drew);
    }
    ensure!(all == Cards::ALL, "hands, draw pile and discards do not add up to the deck");
    ensure!(shuffled == table.stock, "cards in the draw pile and drawn are not those it was made of");
    answers(round)
}

/// Checks that the game asks only seats that can answer the +3, one at a time and in turn order.
fn answers(round: &Round) -> Result<(), String> {
    let table = &round.table;
    if table.stage != Stage::Window {
        ensure!(round.asked == Seat(0), "seat {} must decide, but no decision is due", round.asked.0);
        return Ok(());
    }
    let asked = table.steps(table.turn, round.asked);
    for steps in 1..table.players() {
        let seat = table.after(table.turn, steps);
        let own = &round.own[seat.index()];
        let can = own.hand.once & table.answers(seat) != 0;
        let expected = match can {
            true if steps < asked => Answer::Declined,
            true if steps == asked => Answer::Asked,
            _ => Answer::Nothing,
        };
        ensure!(own.answer == expected, "`answer` of seat {} must be {expected:?}", seat.0);
    }
    ensure!(round.own[round.asked.index()].answer == Answer::Asked, "no player is asked");
    Ok(())
}
