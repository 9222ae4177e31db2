//! What moves tell of how somebody plays.

use super::actions::{CATCH, CHANGE_COLOR, DECLARE, DECLINE, DRAW, END_RUN, END_TURN, Play, what};
use super::deck::{Color, Symbol};
use super::table::Stage;
use super::{Round, View};
use crate::game::Habits;
use crate::ground::ActionId;
use crate::ground::mask::flags;

/// Kinds of moves.
pub const HABITS: [&str; 20] = [
    "draw, though able to play",
    "take the cards owed, though able to answer",
    "play a number",
    "play Stop, +2, Change Direction or Plus",
    "play a TAKI",
    "play Change Color",
    "play King, +3 or Breaker in turn",
    "change the color",
    "answer +2 with +2",
    "go on in a TAKI",
    "close the TAKI",
    "leave the TAKI open",
    "end the turn after a King",
    "break or cancel a +3",
    "leave a +3 unanswered",
    "announce the last card",
    "be silent about the last card",
    "catch a silent player",
    "let a silent player go",
    "play a card that fits by symbol only",
];

impl Habits for Round {
    const HABITS: &'static [&'static str] = &HABITS;

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        let (table, play) = (view.table, what(action));
        let color = match play {
            Play::Colored(color, _) | Play::Super(color) => Some(color),
            _ => CHANGE_COLOR.index(action).map(|color| Color::ALL[color]),
        };
        let (number, symbol) = match play {
            Play::Colored(_, symbol) => ((symbol as u8) < Symbol::Stop as u8, Some(symbol)),
            _ => (false, None),
        };
        let lays = !matches!(play, Play::Draw | Play::Other);
        let changes_color = CHANGE_COLOR.index(action).is_some();
        let (owes, window) = (table.debt > 0, table.stage == Stage::Window);
        let recolors = color.is_some_and(|color| color != table.color);
        let is = |id: ActionId| action == id;
        flags([
            is(DRAW.nth(0)) && !owes,
            is(DRAW.nth(0)) && owes,
            number,
            symbol.is_some() && !number && symbol != Some(Symbol::Taki),
            symbol == Some(Symbol::Taki) || matches!(play, Play::Super(_)),
            changes_color,
            matches!(play, Play::Wild(_)) && !changes_color && !window,
            recolors,
            owes && symbol == Some(Symbol::Plus2),
            table.stage == Stage::Run && lays,
            is(END_RUN.nth(0)),
            is(END_RUN.nth(1)),
            is(END_TURN.nth(0)),
            window && lays,
            is(DECLINE.nth(0)),
            is(DECLARE.nth(0)),
            is(DECLARE.nth(1)),
            is(CATCH.nth(0)),
            is(CATCH.nth(1)),
            symbol.is_some() && recolors && table.symbol == symbol,
        ])
    }
}
