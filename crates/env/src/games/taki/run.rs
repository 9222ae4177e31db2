//! A TAKI being played on.

use super::Round;
use super::actions::{self, END_RUN, Play};
use super::deck::{self, Symbol};
use super::ending;
use super::pile::{has_emptied, lay_in_turn};
use super::rules::TakiFollow;
use super::table::Stage;
use super::turn;
use crate::ground::ActionId;

/// A TAKI, or the first card on an open one, lies on the table.
#[inline]
pub fn begin(round: &mut Round) {
    round.table.open = false;
    if has_emptied(round) { end_by_itself(round) } else { ending::ask(round, Stage::Run) }
}

/// The player goes on with his TAKI, or ends it.
#[inline]
pub fn play(round: &mut Round, action: ActionId) {
    match actions::what(action) {
        Play::Colored(color, symbol) => go_on(round, deck::colored(color, symbol), symbol),
        Play::Super(_) => go_on(round, deck::SUPER, Symbol::Taki),
        Play::Wild(_) => {
            keeps_none(round);
            turn::play_wild(round, action);
        }
        _ => {
            keeps_none(round);
            end(round, action == END_RUN.nth(1));
        }
    }
}

#[inline]
fn go_on(round: &mut Round, card: deck::Card, symbol: Symbol) {
    lay_in_turn(round, card);
    round.table.symbol = Some(symbol);
    if has_emptied(round) { end_by_itself(round) } else { ending::ask(round, Stage::Run) }
}

/// Where all cards of the color must be played, ending the TAKI proves that none is left.
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

/// The last card of the TAKI acts.
#[inline]
fn end(round: &mut Round, open: bool) {
    round.table.open = open;
    if let Some(symbol) = round.table.symbol {
        turn::act(round, symbol);
    }
}
