//! Rebuilding a table from its auction and the cards played, to compare.

use cardsharp_engine::Seat;
use cardsharp_engine::game::ensure;
use cardsharp_engine::hands::Positions;

use crate::announce::due;
use crate::course::Course;
use crate::deck::{Card, Cards};
use crate::play::{self, claim};
use crate::rules::RoemClaims;
use crate::seats::{Each, SEATS};
use crate::table::{Asked, Stage, Table};
use crate::{contract, follow, roem};

/// Replays the cards of `table` and fails if the result differs. Each card must be legal for the hands in
/// `known`: all cards of a seat at the first lead, if known.
pub(super) fn check(table: &Table, known: &Each<Option<Cards>>) -> Result<(), String> {
    let again = rebuilt(table, known)?;
    ensure!(again.play == table.play, "the play is {:?}, not {:?}", again.play, table.play);
    ensure!(again.roem == table.roem, "roem is {:?}, not {:?}", again.roem, table.roem);
    ensure!(again == *table, "the table is {again:?}, not {table:?}");
    Ok(())
}

/// Returns the table before the first lead.
fn start(table: &Table) -> Table {
    let mut again = Table {
        kitty: None,
        trump: None,
        asked: Asked::Nothing,
        partner: None,
        roem: [None; 2],
        open: Positions(0),
        shown: [Cards::NONE; SEATS],
        play: Course::NONE,
        ..*table
    };
    let Some(bidder) = table.bidder() else { return again };
    again.turn = bidder;
    again.stage = Stage::Discard;
    if let Some(kitty) = table.kitty {
        contract::take_kitty(&mut again, kitty);
    }
    if table.stage != Stage::Discard {
        contract::choose_trump(&mut again);
        if let (Stage::Trump, Some(trump)) = (again.stage, table.trump) {
            contract::name_trump(&mut again, trump);
        }
        if again.stage == Stage::Ask && table.asked != Asked::Nothing {
            contract::ask(&mut again, table.asked);
        }
    }
    again
}

fn rebuilt(table: &Table, known: &Each<Option<Cards>>) -> Result<Table, String> {
    let mut again = start(table);
    let cards = &table.play.cards;
    ensure!(cards.is_empty() || again.stage == Stage::Play, "cards were played before the play");
    for card in cards.iter() {
        call_if_called(table, &mut again, known)?;
        ensure!(again.stage == Stage::Play, "cards were played after the end, or before a claim");
        let seat = again.turn;
        let gone = again.play.gone();
        ensure!(!gone.has(card), "{card} was played twice");
        ensure!(!again.play.lacks[seat.index()].has(card), "seat {} cannot have held {card}", seat.0);
        if let Some(all) = known[seat.index()] {
            let legal = follow::playable(&again, seat, all.minus(again.play.played[seat.index()]));
            ensure!(legal.has(card), "{card} was not legal for seat {}", seat.0);
        }
        called_suit(&again, card)?;
        play::put(&mut again, card);
        lay_open(table, &mut again);
        announce(table, &mut again, seat, card)?;
    }
    if again.stage == Stage::Play {
        call_if_called(table, &mut again, known)?;
    }
    Ok(again)
}

/// Checks that the lead after a call is of the called suit.
fn called_suit(again: &Table, card: Card) -> Result<(), String> {
    let lead = again.play.in_trick() == 0 && again.play.is_called();
    let right = !lead || again.asked_card().is_some_and(|asked| asked.suit() == card.suit());
    ensure!(right, "{card} was led to a trick in which another suit was called");
    Ok(())
}

fn call_if_called(table: &Table, again: &mut Table, known: &Each<Option<Cards>>) -> Result<(), String> {
    let trick = again.play.trick();
    if again.play.in_trick() != 0 || again.play.is_called() || table.play.called >> (trick & 7) & 1 == 0 {
        return Ok(());
    }
    let seat = again.turn;
    let all = known[seat.index()].unwrap_or(Cards::ALL);
    let hand = all.minus(again.play.gone());
    ensure!(play::may_call(again, seat, hand), "seat {} could not call in trick {trick}", seat.0);
    play::call(again);
    Ok(())
}

/// Opens hands when they are due. Each shows its current cards and those played from it since.
fn lay_open(table: &Table, again: &mut Table) {
    if again.open.is_empty() {
        again.open = play::opens(again);
        for seat in again.open.iter().map(usize::from) {
            let since = table.play.played[seat].minus(again.play.played[seat]);
            again.shown[seat] = table.shown[seat].or(since);
        }
    }
}

/// Copies roem that was due from the original table, or starts the claim that is due.
fn announce(table: &Table, again: &mut Table, seat: Seat, card: Card) -> Result<(), String> {
    let Some(whose) = due(again, seat, card) else { return Ok(()) };
    let auto = table.rules.roem_claims == RoemClaims::Auto;
    let Some(points) = table.roem[whose] else {
        ensure!(!auto && table.stage == Stage::Claim, "roem of seat {} was due", seat.0);
        again.stage = Stage::Claim;
        again.turn = seat;
        return Ok(());
    };
    ensure!(points <= roem::MOST && points % 10 == 0, "{points} cannot be announced");
    if auto {
        again.roem[whose] = Some(points);
    } else {
        again.turn = seat;
        claim(again, points);
    }
    Ok(())
}
