//! The 72 actions: ids, names and legality as bits.

use std::fmt;

use super::deck::{self, BREAKER, CHANGE, COLORED, Card, Cards, Color, KING, PLUS3, SUPER, Symbol, bit};
use super::rules::{DrawPolicy, KingVsPlus3, RunWilds, SuperOnKing, TakiClose, TakiFollow};
use super::table::{Answer, Stage, Table};
use super::{Round, View, window};
use crate::blocks;
use crate::game::Actions;
use crate::ground::ActionId;
use crate::ground::blocks::Block;
use crate::ground::mask::Words;

blocks! {
    /// All actions.
    pub ACTIONS {
        /// Colored cards.
        pub PLAY: "play",
    52,
    1,
    "Play a colored card: id 13c + s for colors red, blue, green, yellow and symbols 1, 3, 4, 5, 6, 7, 8, 9, stop, +2, \
         change direction, plus, taki.";
        /// Change Color.
        pub CHANGE_COLOR: "change_color", 4, 1, "Play Change Color and name red, blue, green, yellow.";
        /// Super TAKI.
        pub SUPER_TAKI: "super_taki",
    4,
    1,
    "Play Super TAKI as red, blue, green, yellow; only the active color is legal, but for a King with super_on_king \
         choose.";
        /// King, +3, +3 Breaker.
        pub WILD: "wild", 3, 1, "Play King; +3; +3 Breaker.";
        /// Drawing.
        pub DRAW: "draw", 1, 1, "Draw one card, or all that are owed for +2 cards.";
        /// The end of a TAKI.
        pub END_RUN: "end_run", 2, 1, "Close the TAKI; leave it open.";
        /// No card after a King.
        pub END_TURN: "end_turn", 1, 1, "Play no card after the King.";
        /// No answer to a +3.
        pub DECLINE: "decline", 1, 1, "Leave the +3 unanswered; nobody notices.";
        /// Last card.
        pub DECLARE: "declare", 2, 1, "Say \"last card\"; be silent.";
        /// Catching.
        pub CATCH: "catch", 2, 1, "Catch the player who was silent; let him go.";
    }
}

/// Legal actions.
pub type Legal = Words<2>;

/// What an action is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Play {
    /// A colored card.
    Colored(Color, Symbol),
    /// A Super TAKI as this color.
    Super(Color),
    /// Another colorless card; the color that Change Color names is the action's number in
    /// [`CHANGE_COLOR`].
    Wild(Card),
    /// Drawing.
    Draw,
    /// No card moves.
    Other,
}

static WHAT: [Play; CATCH.end()] = {
    let mut list = [Play::Other; CATCH.end()];
    let mut i = 0;
    while i < PLAY.len {
        list[i] = Play::Colored(Color::ALL[i / deck::SYMBOLS], Symbol::ALL[i % deck::SYMBOLS]);
        i += 1;
    }
    let mut color = 0;
    while color < 4 {
        list[CHANGE_COLOR.offset + color] = Play::Wild(CHANGE);
        list[SUPER_TAKI.offset + color] = Play::Super(Color::ALL[color]);
        color += 1;
    }
    list[WILD.offset] = Play::Wild(KING);
    list[WILD.offset + 1] = Play::Wild(PLUS3);
    list[WILD.offset + 2] = Play::Wild(BREAKER);
    list[DRAW.offset] = Play::Draw;
    list
};

impl Actions for Round {
    const ACTIONS: &'static [Block] = ACTIONS;
    type Legal = Legal;

    #[inline]
    fn legal(view: View<'_>) -> Legal {
        let table = view.table;
        if table.turn != view.seat
            || matches!(table.stage, Stage::Window | Stage::LastCard { .. } | Stage::Catch { .. })
        {
            return legal_out_of_turn(view);
        }
        let hand = view.own.hand.once;
        let active = 1 << table.color as u64;
        match table.stage {
            Stage::Turn if table.debt > 0 => {
                Words([plays(hand & (Symbol::Plus2.faces() | bit(KING)), 0) | DRAWS, 0])
            }
            Stage::Turn | Stage::Owe => {
                let cards = hand & table.playable();
                let stuck = cards & !bit(BREAKER) == 0;
                let draw = if stuck || table.rules.draw_policy == DrawPolicy::Anytime { DRAWS } else { 0 };
                Words([plays(cards, active) | draw, 0])
            }
            Stage::Run => {
                let color = hand & table.color.faces();
                let ends = color == 0 || table.rules.taki_follow == TakiFollow::Optional;
                let mut cards = color | hand & bit(SUPER);
                if ends && table.rules.run_wilds == RunWilds::Faq {
                    cards |= hand & (bit(CHANGE) | bit(KING) | bit(PLUS3));
                }
                let end = if ends { ends_of_run(table) << (END_RUN.offset - 64) } else { 0 };
                Words([plays(cards, active), end])
            }
            Stage::Free => {
                let colors = if table.rules.super_on_king == SuperOnKing::Choose { 0b1111 } else { active };
                Words([plays(hand, colors), 1 << (END_TURN.offset - 64)])
            }
            _ => Legal::EMPTY,
        }
    }

    fn is_legal(view: View<'_>, action: ActionId) -> bool {
        let (table, hand) = (view.table, &view.own.hand);
        let my_turn = table.turn == view.seat;
        let asked = table.stage == Stage::Window && view.own.answer == Answer::Asked;
        match what(action) {
            Play::Colored(color, symbol) => {
                let fits = match table.stage {
                    Stage::Turn if table.debt > 0 => symbol == Symbol::Plus2,
                    Stage::Turn | Stage::Owe => color == table.color || Some(symbol) == table.symbol,
                    Stage::Run => color == table.color,
                    Stage::Free => true,
                    _ => false,
                };
                my_turn && fits && hand.count(deck::colored(color, symbol)) > 0
            }
            Play::Super(color) => {
                let chooses = table.rules.super_on_king == SuperOnKing::Choose && table.stage == Stage::Free;
                let fits = match table.stage {
                    Stage::Turn => table.debt == 0 && !covers_plus3(table),
                    Stage::Owe | Stage::Run | Stage::Free => true,
                    _ => false,
                };
                my_turn && fits && (color == table.color || chooses) && hand.count(SUPER) > 0
            }
            Play::Wild(card) if hand.count(card) == 0 => false,
            Play::Wild(BREAKER) => {
                let in_turn = match table.stage {
                    Stage::Turn => table.debt == 0,
                    Stage::Owe | Stage::Free => true,
                    _ => false,
                };
                asked || my_turn && in_turn
            }
            Play::Wild(card) => {
                let is_king = card == KING;
                let answers = asked
                    && is_king
                    && table.rules.king_vs_plus3 == KingVsPlus3::NextPlayer
                    && table.steps(table.turn, view.seat) == 1;
                let in_turn = match table.stage {
                    Stage::Turn if table.debt > 0 => is_king,
                    Stage::Turn => card != CHANGE || !covers_plus3(table),
                    Stage::Owe | Stage::Free => true,
                    Stage::Run => table.rules.run_wilds == RunWilds::Faq && may_end_run(table, hand),
                    _ => false,
                };
                answers || my_turn && in_turn
            }
            Play::Draw => {
                let anytime = table.rules.draw_policy == DrawPolicy::Anytime || table.debt > 0;
                let may = matches!(table.stage, Stage::Turn | Stage::Owe);
                let plays =
                    |id: u16| card(ActionId(id)) != Some(BREAKER) && Round::is_legal(view, ActionId(id));
                my_turn && may && (anytime || !(0..DRAW.offset as u16).any(plays))
            }
            Play::Other => other_is_legal(view, action),
        }
    }

    fn is_public(action: ActionId) -> bool {
        action != DECLINE.nth(0)
    }

    fn phase(&self) -> &'static str {
        match self.table.stage {
            Stage::Turn => "turn",
            Stage::Run => "run",
            Stage::Free => "free",
            Stage::Owe => "owe",
            Stage::Window => "window",
            Stage::LastCard { .. } => "last card",
            Stage::Catch { .. } => "catch",
            Stage::Over(_) => "none",
        }
    }

    fn label(_: Option<&Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(color) = CHANGE_COLOR.index(action) {
            return write!(f, "color {}", Color::ALL[color].letter());
        }
        if let Some(color) = SUPER_TAKI.index(action) {
            return write!(f, "super {}", Color::ALL[color].letter());
        }
        if let Some(card) = card(action) {
            return f.write_str(deck::card_name(card));
        }
        f.write_str(match action {
            a if a == DRAW.nth(0) => "draw",
            a if a == END_RUN.nth(0) => "close taki",
            a if a == END_RUN.nth(1) => "leave taki open",
            a if a == END_TURN.nth(0) => "end turn",
            a if a == DECLINE.nth(0) => "decline",
            a if a == DECLARE.nth(0) => "last card",
            a if a == DECLARE.nth(1) => "silent",
            a if a == CATCH.nth(0) => "catch",
            a if a == CATCH.nth(1) => "let go",
            _ => return write!(f, "action {}", action.0),
        })
    }
}

/// What an action is.
#[inline]
pub fn what(action: ActionId) -> Play {
    WHAT.get(usize::from(action.0)).copied().unwrap_or(Play::Other)
}

/// The card that an action lays, if it lays one.
pub fn card(action: ActionId) -> Option<Card> {
    match what(action) {
        Play::Colored(color, symbol) => Some(deck::colored(color, symbol)),
        Play::Super(_) => Some(SUPER),
        Play::Wild(card) => Some(card),
        Play::Draw | Play::Other => None,
    }
}

/// The actions that play some of these faces, as bits; of Super TAKI in these colors (one bit each).
#[inline]
fn plays(faces: u64, super_colors: u64) -> u64 {
    let colored = faces & (bit(COLORED) - 1);
    let change = (faces >> CHANGE & 1) * (0b1111 << CHANGE_COLOR.offset);
    let sup = (faces >> SUPER & 1) * (super_colors << SUPER_TAKI.offset);
    colored | change | sup | (faces >> KING & 0b111) << WILD.offset
}

const DRAWS: u64 = 1 << DRAW.offset;

/// How the TAKI on the table may end, as the bits of [`END_RUN`].
#[inline]
fn ends_of_run(table: &Table) -> u64 {
    match table.symbol {
        Some(Symbol::Taki) => 0b10,
        Some(Symbol::Plus) => 0b01,
        _ if table.rules.taki_close == TakiClose::Choice => 0b11,
        _ => 0b01,
    }
}

#[cold]
fn legal_out_of_turn(view: View<'_>) -> Legal {
    match view.table.stage {
        Stage::Window if view.own.answer == Answer::Asked => {
            let cards = view.own.hand.once & window::answers(view.table, view.seat);
            Words([plays(cards, 0), 1 << (DECLINE.offset - 64)])
        }
        Stage::LastCard { seat, .. } if seat == view.seat => Words([0, 0b11 << (DECLARE.offset - 64)]),
        Stage::Catch { asked, .. } if asked == view.seat => Words([0, 0b11 << (CATCH.offset - 64)]),
        _ => Legal::EMPTY,
    }
}

fn other_is_legal(view: View<'_>, action: ActionId) -> bool {
    let (table, hand) = (view.table, &view.own.hand);
    let my_turn = table.turn == view.seat;
    if let Some(end) = END_RUN.index(action) {
        let bare = table.symbol == Some(Symbol::Taki);
        let may = match end {
            0 => !bare,
            _ if table.symbol == Some(Symbol::Plus) => false,
            _ => bare || table.rules.taki_close == TakiClose::Choice,
        };
        return my_turn && table.stage == Stage::Run && may && may_end_run(table, hand);
    }
    if DECLARE.index(action).is_some() {
        return matches!(table.stage, Stage::LastCard { seat, .. } if seat == view.seat);
    }
    if CATCH.index(action).is_some() {
        return matches!(table.stage, Stage::Catch { asked, .. } if asked == view.seat);
    }
    match action {
        a if a == END_TURN.nth(0) => my_turn && table.stage == Stage::Free,
        a if a == DECLINE.nth(0) => table.stage == Stage::Window && view.own.answer == Answer::Asked,
        _ => false,
    }
}

/// Whether a settled +3 lies on top that may not be covered.
fn covers_plus3(table: &Table) -> bool {
    !table.rules.cover_resolved_plus3 && table.top == PLUS3
}

/// Whether a player with this hand may end his TAKI.
fn may_end_run(table: &Table, hand: &Cards) -> bool {
    let keeps = |&symbol: &Symbol| hand.count(deck::colored(table.color, symbol)) > 0;
    table.rules.taki_follow == TakiFollow::Optional || !Symbol::ALL.iter().any(keeps)
}
