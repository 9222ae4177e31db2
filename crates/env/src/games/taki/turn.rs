//! A turn: playing a card, what it does, drawing.

use super::actions::{self, CHANGE_COLOR, Play};
use super::deck::{self, Color, Symbol, bit};
use super::pile::{give, has_emptied, lay_in_turn};
use super::rules::{DrawPolicy, PlusLast, TwoPlayerDirection};
use super::table::Stage;
use super::{Round, ending, run, window};
use crate::ground::ActionId;

/// The player whose turn it is plays a card, draws, or declines to follow his King.
#[inline]
pub fn play(round: &mut Round, action: ActionId) {
    match actions::what(action) {
        Play::Colored(color, symbol) => play_colored(round, color, symbol),
        Play::Super(color) => {
            lay_in_turn(round, deck::SUPER);
            round.table.color = color;
            round.table.symbol = Some(Symbol::Taki);
            run::begin(round);
        }
        Play::Wild(_) => play_wild(round, action),
        Play::Draw => draw(round),
        _ => ending::end_turn(round, 0),
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
    // A +2 of its color on a live stack leaves a TAKI open.
    table.open = same_color;
    act(round, symbol);
}

/// Plays Change Color, King, +3 or +3 Breaker: in a turn, and the first three at the end of a TAKI.
pub fn play_wild(round: &mut Round, action: ActionId) {
    let Play::Wild(card) = actions::what(action) else { return };
    lay_in_turn(round, card);
    let table = &mut round.table;
    match card {
        deck::BREAKER => {
            let seat = table.turn;
            give(round, seat, 3);
            ending::end_turn(round, 0);
        }
        deck::PLUS3 => {
            table.open = false;
            window::open(round);
        }
        deck::KING => {
            table.open = false;
            table.debt = 0;
            table.symbol = None;
            free(round);
        }
        _ => {
            if let Some(color) = CHANGE_COLOR.index(action) {
                table.color = Color::ALL[color];
            }
            table.open = false;
            table.symbol = None;
            ending::end_turn(round, 0);
        }
    }
}

/// After a King any card may follow.
pub fn free(round: &mut Round) {
    if has_emptied(round) {
        ending::end_turn(round, 0);
    } else {
        ending::ask(round, Stage::Free);
    }
}

/// What a card does that is not inside a TAKI; the turn ends unless another card is owed.
#[inline]
pub fn act(round: &mut Round, symbol: Symbol) {
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

/// A Plus demands another card.
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

/// The player takes the cards he owes, or one because he does not play.
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
