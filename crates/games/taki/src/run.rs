//! Moves while a TAKI is in progress.

use super::Round;
use super::deck::{self, Symbol};
use super::ending;
use super::moves::Move;
use super::pile::{has_emptied, lay_in_turn};
use super::rules::TakiFollow;
use super::table::Stage;
use super::turn;

/// Starts a TAKI, or continues an open one with its first card.
#[inline]
pub(super) fn begin(round: &mut Round) {
    round.table.open = false;
    if has_emptied(round) { end_by_itself(round) } else { ending::ask(round, Stage::Run) }
}

/// Plays a move during the player's own TAKI.
#[inline]
pub(super) fn play(round: &mut Round, chosen: Move) {
    match chosen {
        Move::Colored(color, symbol) => go_on(round, deck::colored(color, symbol), symbol),
        Move::Super(_) => go_on(round, deck::SUPER, Symbol::Taki),
        Move::Change(color) => {
            keeps_none(round);
            turn::change_color(round, color);
        }
        Move::King => {
            keeps_none(round);
            turn::king(round);
        }
        Move::Plus3 => {
            keeps_none(round);
            turn::plus3(round);
        }
        Move::Close => {
            keeps_none(round);
            end(round, false);
        }
        Move::LeaveOpen => {
            keeps_none(round);
            end(round, true);
        }
        Move::Breaker
        | Move::Draw
        | Move::EndTurn
        | Move::Decline
        | Move::Declare
        | Move::Silent
        | Move::Catch
        | Move::LetGo => chosen.misplaced(),
    }
}

#[inline]
fn go_on(round: &mut Round, card: deck::Card, symbol: Symbol) {
    lay_in_turn(round, card);
    round.table.symbol = Some(symbol);
    if has_emptied(round) { end_by_itself(round) } else { ending::ask(round, Stage::Run) }
}

/// Adds the proof that the player holds no more cards of the color, if the rules force them to play all.
#[inline]
fn keeps_none(round: &mut Round) {
    let table = &mut round.table;
    if table.rules.taki_follow == TakiFollow::All {
        table.proofs[table.turn.index()].add(table.color.faces());
    }
}

fn end_by_itself(round: &mut Round) {
    let bare = round.table.symbol == Some(Symbol::Taki);
    end(round, bare);
}

/// Ends the TAKI: its last card acts.
#[inline]
fn end(round: &mut Round, open: bool) {
    round.table.open = open;
    if let Some(symbol) = round.table.symbol {
        turn::act(round, symbol);
    }
}
