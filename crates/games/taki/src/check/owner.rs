//! Consistency checks of one seat's private state against a table that passed [`super::public`].

use super::ensure;
use crate::View;
use crate::table::{Answer, Stage};

/// Checks the cards that the viewer has held: those drawn from the current draw pile, and those held before
/// it was made. This check does not hold for other seats after determinizing, because their `drew` may be a
/// guess.
pub(super) fn past(view: View<'_>) -> Result<(), String> {
    let (table, own) = (view.table, view.own);
    let had = own.hand.with(&table.laid[view.seat.index()]);
    ensure!(had.contains(&own.drew), "cards drawn that are neither held nor laid");
    ensure!(table.recycles > 0 || had == own.drew, "cards held or laid that were not dealt");
    Ok(())
}

/// Checks the viewer's hand, draws and answer.
pub(super) fn check(view: View<'_>) -> Result<(), String> {
    let (table, own) = (view.table, view.own);
    ensure!(view.seat.0 < table.players(), "seat {} of {} players", view.seat.0, table.players());
    let me = view.seat.index();
    let size = u32::from(table.sizes[me]);
    ensure!(own.hand.total() == size, "{} cards in a hand of {size}", own.hand.total());
    let seen = own.hand.with(&table.discards).total();
    ensure!(seen == size + table.discards.total(), "the deck does not have the cards in hand and laid");
    ensure!(own.hand.contains(&table.known[me]), "cards that the hand is known to have are missing");
    for proof in table.proofs[me].iter() {
        let held = own.hand.among(proof.faces);
        ensure!(
            held <= u32::from(proof.at_most),
            "{held} cards of which there are at most {}",
            proof.at_most
        );
    }
    let drawn = u32::from(table.drawn[me]);
    ensure!(own.drew.total() == drawn, "{} cards drawn, not {drawn}", own.drew.total());
    ensure!(table.stock.contains(&own.drew), "cards drawn that were not in the draw pile");
    let can = view.seat != table.turn && own.hand.once & table.answers(view.seat) != 0;
    let fits = own.answer == Answer::Nothing || table.stage == Stage::Window && can;
    ensure!(fits, "there is nothing to answer");
    Ok(())
}
