//! Kinds of moves that characterize a player's style.

use cardsharp_engine::ActionId;
use cardsharp_engine::game::Habits;
use cardsharp_engine::mask::flags;

use super::actions::Move;
use super::deck::Symbol;
use super::state::Stage;
use super::{Round, View};

/// Names of the kinds, in the order of the flags in [`Habits::habits`].
const HABITS: [&str; 20] = [
    "draw, though able to play",
    "take the cards owed, though able to answer",
    "play a number",
    "play Stop, +2, Change Direction or Plus",
    "play a TAKI",
    "play Change Color",
    "play King, +3 or Breaker in turn",
    "change the color",
    "answer +2 with +2",
    "continue a TAKI",
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
        let Some(chosen) = Move::of(action) else { return 0 };
        let table = view.table;
        let (color, symbol) = match chosen {
            Move::Colored(color, symbol) => (Some(color), Some(symbol)),
            Move::Super(color) | Move::Change(color) => (Some(color), None),
            Move::King
            | Move::Plus3
            | Move::Breaker
            | Move::Draw
            | Move::Close
            | Move::LeaveOpen
            | Move::EndTurn
            | Move::Decline
            | Move::Declare
            | Move::Silent
            | Move::Catch
            | Move::LetGo => (None, None),
        };
        let number = symbol.is_some_and(Symbol::is_number);
        let (taki, lays) = (symbol == Some(Symbol::Taki), chosen.card().is_some());
        let (owes, window) = (table.debt > 0, table.stage == Stage::Window);
        let recolors = color.is_some_and(|color| color != table.color);
        flags([
            chosen == Move::Draw && !owes,
            chosen == Move::Draw && owes,
            number,
            symbol.is_some() && !number && !taki,
            taki || matches!(chosen, Move::Super(_)),
            matches!(chosen, Move::Change(_)),
            matches!(chosen, Move::King | Move::Plus3 | Move::Breaker) && !window,
            recolors,
            owes && symbol == Some(Symbol::Plus2),
            table.stage == Stage::Run && lays,
            chosen == Move::Close,
            chosen == Move::LeaveOpen,
            chosen == Move::EndTurn,
            window && lays,
            chosen == Move::Decline,
            chosen == Move::Declare,
            chosen == Move::Silent,
            chosen == Move::Catch,
            chosen == Move::LetGo,
            symbol.is_some() && recolors && table.symbol == symbol,
        ])
    }
}
