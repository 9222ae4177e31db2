//! A turn: playing a card, its effect, and drawing.

use super::deck::{self, Color, Symbol, bit};
use super::moves::Move;
use super::pile::{give, has_emptied, lay_in_turn};
use super::rules::{DrawPolicy, PlusLast, TwoPlayerDirection};
use super::table::Stage;
use super::{Round, ending, run, window};

/// Plays the move of the player whose turn it is: lays a card, draws, or ends the turn after a King.
#[inline]
pub(super) fn play(round: &mut Round, chosen: Move) {
    match chosen {
        Move::Colored(color, symbol) => play_colored(round, color, symbol),
        Move::Change(color) => change_color(round, color),
        Move::Super(color) => {
            lay_in_turn(round, deck::SUPER);
            round.table.color = color;
            round.table.symbol = Some(Symbol::Taki);
            run::begin(round);
        }
        Move::King => king(round),
        Move::Plus3 => plus3(round),
        Move::Breaker => {
            lay_in_turn(round, deck::BREAKER);
            let seat = round.table.turn;
            give(round, seat, 3);
            ending::end_turn(round, 0);
        }
        Move::Draw => draw(round),
        Move::EndTurn => ending::end_turn(round, 0),
        Move::Close
        | Move::LeaveOpen
        | Move::Decline
        | Move::Declare
        | Move::Silent
        | Move::Catch
        | Move::LetGo => chosen.misplaced(),
    }
}

#[inline]
fn play_colored(round: &mut Round, color: Color, symbol: Symbol) {
    let table = &mut round.table;
    let same_color = table.open && table.color == color;
    let on_debt = table.debt > 0;
    lay_in_turn(round, deck::colored(color, symbol));
    let table = &mut round.table;
    (table.color, table.symbol) = (color, Some(symbol));
    if symbol == Symbol::Taki || same_color && !on_debt {
        run::begin(round);
        return;
    }
    // A +2 of the open TAKI's color, laid on a debt, leaves the TAKI open.
    table.open = same_color;
    act(round, symbol);
}

/// Lays Change Color, in a turn or at the end of a TAKI.
pub(super) fn change_color(round: &mut Round, color: Color) {
    lay_in_turn(round, deck::CHANGE);
    let table = &mut round.table;
    table.color = color;
    table.open = false;
    table.symbol = None;
    ending::end_turn(round, 0);
}

/// Lays a King, in a turn or at the end of a TAKI.
pub(super) fn king(round: &mut Round) {
    lay_in_turn(round, deck::KING);
    let table = &mut round.table;
    table.open = false;
    table.debt = 0;
    table.symbol = None;
    free(round);
}

/// Lays a +3, in a turn or at the end of a TAKI.
pub(super) fn plus3(round: &mut Round) {
    lay_in_turn(round, deck::PLUS3);
    round.table.open = false;
    window::open(round);
}

/// Continues the turn after a King: any card may follow. Ends the turn if the hand is empty.
pub(super) fn free(round: &mut Round) {
    if has_emptied(round) {
        ending::end_turn(round, 0);
    } else {
        ending::ask(round, Stage::Free);
    }
}

/// Applies the effect of a card outside a TAKI, or of the last card of a TAKI. Ends the turn, unless a Plus
/// demands another card.
#[inline]
pub(super) fn act(round: &mut Round, symbol: Symbol) {
    let table = &mut round.table;
    let mut skipped = 0;
    match symbol {
        Symbol::Stop => skipped = 1,
        Symbol::Plus2 => table.debt = table.debt.saturating_add(2),
        Symbol::Direction => {
            table.direction = table.direction.turned();
            let again = table.rules.two_player_direction == TwoPlayerDirection::ActsAsStop;
            skipped = u8::from(table.rules.players == 2 && again);
        }
        Symbol::Plus => {
            owe(round);
            return;
        }
        _ => {}
    }
    ending::end_turn(round, skipped);
}

/// Demands another card after a Plus, or ends the turn if the hand is empty.
fn owe(round: &mut Round) {
    if !has_emptied(round) {
        ending::ask(round, Stage::Owe);
        return;
    }
    if round.table.rules.plus_last == PlusLast::MustDraw {
        let seat = round.table.turn;
        give(round, seat, 1);
    }
    ending::end_turn(round, 0);
}

/// Draws the cards that the player owes, or one card.
fn draw(round: &mut Round) {
    let table = &mut round.table;
    let seat = table.turn;
    let owed = std::mem::take(&mut table.debt);
    if owed == 0 && table.rules.draw_policy == DrawPolicy::StuckOnly {
        let playable = table.playable() & !bit(deck::BREAKER);
        table.proofs[seat.index()].add(playable);
    }
    let drawn = give(round, seat, owed.max(1));
    let table = &mut round.table;
    if table.stage == Stage::Turn {
        table.idle = if drawn == 0 { table.idle + 1 } else { 0 };
    }
    ending::end_turn(round, 0);
}
