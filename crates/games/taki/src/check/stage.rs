//! Consistency checks of a table for each stage of a turn.

use cardsharp_engine::Seat;

use super::ensure;
use crate::deck::{self, Symbol, parts};
use crate::rules::{LastCard, Mode, Plus3Last, Plus3VsPlus3};
use crate::table::{End, Next, Stage, Table};

/// Checks the stage of a table whose seats and cards are consistent.
pub(super) fn check(table: &Table) -> Result<(), String> {
    counters(table)?;
    let size = table.sizes[table.turn.index()];
    let goes_on = table.remained == Some(size) && size > 0;
    let symbol = parts(table.top).map(|(_, symbol)| symbol);
    let asks = matches!(table.stage, Stage::Run | Stage::Free | Stage::Owe | Stage::Window);
    ensure!(!asks || table.debt == 0 && !table.open, "debt or an open TAKI in the middle of a turn");
    match table.stage {
        Stage::Turn => {
            ensure!(table.remained.is_none(), "cards laid in a turn that is only starting");
        }
        Stage::Run => {
            let fits = symbol.is_some() || table.top == deck::SUPER;
            ensure!(goes_on && fits, "no TAKI can be continued");
        }
        Stage::Free => {
            ensure!(goes_on && table.top == deck::KING, "no King can be followed");
        }
        Stage::Owe => {
            ensure!(goes_on && symbol == Some(Symbol::Plus), "no Plus demands another card");
        }
        Stage::Window => {
            let at_once = table.remained.is_none()
                && table.rules.plus3_last == Plus3Last::WinsAtOnce
                && table.rules.mode == Mode::Tournament;
            let emptied = size == 0 && table.rules.plus3_last == Plus3Last::WinsAtOnce;
            ensure!(table.top == deck::PLUS3, "no +3 on top can be answered");
            ensure!(
                at_once || table.remained == Some(size) && !emptied,
                "the player of the +3 holds other cards"
            );
        }
        Stage::LastCard { seat, next } => {
            ensure!(
                table.rules.last_card != LastCard::Auto,
                "last cards are announced automatically by these rules"
            );
            last_card(table, seat, next)?;
        }
        Stage::Catch { silent, asked, next } => {
            ensure!(table.rules.last_card == LastCard::Challenge, "no player is caught by these rules");
            last_card(table, silent, next)?;
            ensure!(
                asked.0 < table.players() && asked != silent,
                "seat {} cannot catch seat {}",
                asked.0,
                silent.0
            );
        }
        Stage::Over(end) => over(table, end)?,
    }
    Ok(())
}

fn counters(table: &Table) -> Result<(), String> {
    let limit = table.rules.limit();
    let most = match table.stage {
        Stage::Over(_) => limit + 1,
        Stage::Window => limit,
        _ => limit - 1,
    };
    ensure!(table.decisions <= most, "{} decisions, but the game is cut off after {limit}", table.decisions);
    ensure!(table.idle <= table.players(), "{} turns without a move", table.idle);
    let stuck = table.pile == 0 && table.discards.total() == 1;
    ensure!(table.idle == 0 || stuck, "a turn without a move although there are cards");
    let stalemate = table.stage == Stage::Over(End::Stalemate);
    ensure!((table.idle == table.players()) == stalemate, "no stalemate after {} idle turns", table.idle);
    let remained = table.remained.unwrap_or_default();
    ensure!(
        remained <= table.sizes[table.turn.index()],
        "`remained` is {remained}, more than the cards in hand"
    );
    Ok(())
}

fn last_card(table: &Table, seat: Seat, next: Next) -> Result<(), String> {
    let players = table.players();
    ensure!(seat.0 < players && next.seat.0 < players, "seats that no player has");
    ensure!(table.sizes[seat.index()] == 1, "seat {} is not down to one card", seat.0);
    ensure!(!table.announced.has(seat.0), "seat {} has announced its last card", seat.0);
    ensure!(!(next.king && next.plus3), "a +3 is answered with one card");
    ensure!(
        !next.plus3 || table.rules.plus3_vs_plus3 == Plus3VsPlus3::NextPlayer,
        "no +3 answers a +3 by these rules"
    );
    if next.king || next.plus3 {
        let fits = next.seat == table.turn
            && table.after(seat, 1) == table.turn
            && table.top == if next.king { deck::KING } else { deck::PLUS3 }
            && table.debt == 0
            && !table.open
            && table.remained == Some(table.sizes[table.turn.index()]);
        ensure!(fits, "seat {} has not answered a +3", next.seat.0);
        return Ok(());
    }
    let breaker = table.top == deck::BREAKER && seat != table.turn;
    ensure!(seat == table.turn && table.remained == Some(1) || breaker, "seat {} has laid no card", seat.0);
    let steps = table.steps(table.turn, next.seat);
    let again = players == 2 && steps == 0 && !breaker;
    let skips = parts(table.top).is_some_and(|(_, symbol)| symbol == Symbol::Stop);
    let fits = if players == 2 {
        steps == 1 || again
    } else {
        steps == 1 + u8::from(skips && !breaker) || steps == (1 + u8::from(skips)) % players
    };
    ensure!(fits, "seat {} is not the next player", next.seat.0);
    Ok(())
}

fn over(table: &Table, end: End) -> Result<(), String> {
    match end {
        End::Won(seat) => {
            let out =
                seat.0 < table.players() && table.sizes[seat.index()] == 0 && table.stages[seat.index()] < 2;
            ensure!(out, "seat {} has not won", seat.0);
        }
        End::CutOff => {
            let limit = table.rules.limit();
            ensure!(table.decisions >= limit, "cut off before {limit} decisions");
        }
        End::Stalemate => {}
    }
    Ok(())
}
