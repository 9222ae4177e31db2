//! TAKI's actions: the 72 moves and the action id of each, their labels, the action mask, and the same
//! legality check written directly from the rules.

use std::fmt;

use cardsharp_engine::ActionId;
use cardsharp_engine::blocks;
use cardsharp_engine::blocks::{Block, width};
use cardsharp_engine::game::Actions;
use cardsharp_engine::mask::Words;

use super::deck::{
    self, BREAKER, CHANGE, COLORED, Card, Cards, Color, KING, PLUS3, SUPER, SYMBOLS, Symbol, bit,
};
use super::rules::{DrawPolicy, KingVsPlus3, Plus3VsPlus3, RunWilds, SuperOnKing, TakiClose, TakiFollow};
use super::state::{Answer, PublicState, Stage};
use super::{Round, View};

blocks! {
    ACTIONS {
        PLAY: "play",
    52,
    1,
    "Play a colored card: id 13c + s for colors red, blue, green, yellow and symbols 1, 3, 4, 5, 6, 7, 8, 9, stop, +2, \
         change direction, plus, taki.";
        CHANGE_COLOR: "change_color", 4, 1, "Play Change Color and name red, blue, green, yellow.";
        SUPER_TAKI: "super_taki",
    4,
    1,
    "Play Super TAKI as red, blue, green, yellow. Only the active color is legal, except on a King with \
        super_on_king choose.";
        /// King, +3, +3 Breaker.
        WILD: "wild", 3, 1, "Play King; +3; +3 Breaker.";
        DRAW: "draw", 1, 1, "Draw one card, or all cards owed for +2 cards.";
        END_RUN: "end_run", 2, 1, "Close the TAKI; leave it open.";
        END_TURN: "end_turn", 1, 1, "Play no card after the King.";
        DECLINE: "decline", 1, 1, "Leave the +3 unanswered; this stays secret.";
        DECLARE: "declare", 2, 1, "Say \"last card\"; be silent.";
        CATCH: "catch", 2, 1, "Catch the player who was silent; let them go.";
    }
}

/// What a player does at a decision.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Lays a colored card.
    Colored(Color, Symbol),
    /// Lays Change Color and names this color.
    Change(Color),
    /// Lays Super TAKI as this color.
    Super(Color),
    /// Lays a King, which cancels everything.
    King,
    /// Lays a +3, which may be answered.
    Plus3,
    /// Lays a +3 Breaker.
    Breaker,
    /// Draws one card, or all cards owed for +2 cards.
    Draw,
    /// Closes the TAKI in progress.
    Close,
    /// Leaves the TAKI open for the next player.
    LeaveOpen,
    /// Plays no card after the King.
    EndTurn,
    /// Leaves the +3 unanswered.
    Decline,
    /// Says "last card", to draw no penalty.
    Declare,
    /// Does not say "last card".
    Silent,
    /// Catches the player who was silent.
    Catch,
    /// Lets the player who was silent go.
    LetGo,
}

/// Every move, by id.
static MOVES: [Move; width(ACTIONS)] = {
    let mut moves = [Move::Draw; width(ACTIONS)];
    let mut color = 0;
    while color < Color::ALL.len() {
        let mut symbol = 0;
        while symbol < SYMBOLS {
            enter(&mut moves, Move::Colored(Color::ALL[color], Symbol::ALL[symbol]));
            symbol += 1;
        }
        enter(&mut moves, Move::Change(Color::ALL[color]));
        enter(&mut moves, Move::Super(Color::ALL[color]));
        color += 1;
    }
    let others = [
        Move::King,
        Move::Plus3,
        Move::Breaker,
        Move::Draw,
        Move::Close,
        Move::LeaveOpen,
        Move::EndTurn,
        Move::Decline,
        Move::Declare,
        Move::Silent,
        Move::Catch,
        Move::LetGo,
    ];
    let mut i = 0;
    while i < others.len() {
        enter(&mut moves, others[i]);
        i += 1;
    }
    moves
};

const fn enter(moves: &mut [Move; width(ACTIONS)], one: Move) {
    moves[one.id().0 as usize] = one;
}

impl Move {
    /// Returns the move with this id, or `None` if the id is too high.
    #[inline]
    pub fn of(action: ActionId) -> Option<Self> {
        MOVES.get(usize::from(action.0)).copied()
    }

    /// The id of the move.
    #[inline]
    pub const fn id(self) -> ActionId {
        match self {
            Self::Colored(color, symbol) => PLAY.nth(deck::colored(color, symbol) as usize),
            Self::Change(color) => CHANGE_COLOR.nth(color as usize),
            Self::Super(color) => SUPER_TAKI.nth(color as usize),
            Self::King => WILD.nth(0),
            Self::Plus3 => WILD.nth(1),
            Self::Breaker => WILD.nth(2),
            Self::Draw => DRAW.nth(0),
            Self::Close => END_RUN.nth(0),
            Self::LeaveOpen => END_RUN.nth(1),
            Self::EndTurn => END_TURN.nth(0),
            Self::Decline => DECLINE.nth(0),
            Self::Declare => DECLARE.nth(0),
            Self::Silent => DECLARE.nth(1),
            Self::Catch => CATCH.nth(0),
            Self::LetGo => CATCH.nth(1),
        }
    }

    /// Every move, by id.
    pub fn all() -> impl Iterator<Item = Self> {
        MOVES.iter().copied()
    }

    /// Returns the card that the move lays, if any.
    pub const fn card(self) -> Option<Card> {
        match self {
            Self::Colored(color, symbol) => Some(deck::colored(color, symbol)),
            Self::Change(_) => Some(CHANGE),
            Self::Super(_) => Some(SUPER),
            Self::King => Some(KING),
            Self::Plus3 => Some(PLUS3),
            Self::Breaker => Some(BREAKER),
            Self::Draw
            | Self::Close
            | Self::LeaveOpen
            | Self::EndTurn
            | Self::Decline
            | Self::Declare
            | Self::Silent
            | Self::Catch
            | Self::LetGo => None,
        }
    }

    /// Handles a move that is illegal in the current stage: panics in debug builds, and changes nothing
    /// otherwise. The caller has to check legality first.
    #[cold]
    pub(super) fn misplaced(self) {
        debug_assert!(false, "{self:?} is not legal here");
    }
}

pub(super) type Legal = Words<2>;

impl Actions for Round {
    const ACTIONS: &'static [Block] = ACTIONS;
    type Legal = Legal;

    #[inline(always)]
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
                let end = if ends { ends_of_run(table) } else { 0 };
                Words([plays(cards, active), end])
            }
            Stage::Free => {
                let colors = if table.rules.super_on_king == SuperOnKing::Choose { 0b1111 } else { active };
                Words([plays(hand, colors), ENDS_TURN])
            }
            Stage::Window | Stage::LastCard { .. } | Stage::Catch { .. } | Stage::Over(_) => Legal::EMPTY,
        }
    }

    fn is_legal(view: View<'_>, action: ActionId) -> bool {
        Move::of(action).is_some_and(|chosen| allows(view, chosen))
    }

    fn is_public(action: ActionId) -> bool {
        action != Move::Decline.id()
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

    fn label(_: Option<&PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(chosen) = Move::of(action) else { return write!(f, "action {}", action.0) };
        f.write_str(match chosen {
            Move::Colored(color, symbol) => deck::card_name(deck::colored(color, symbol)),
            Move::Change(color) => return write!(f, "color {}", color.letter()),
            Move::Super(color) => return write!(f, "super {}", color.letter()),
            Move::King => deck::card_name(KING),
            Move::Plus3 => deck::card_name(PLUS3),
            Move::Breaker => deck::card_name(BREAKER),
            Move::Draw => "draw",
            Move::Close => "close taki",
            Move::LeaveOpen => "leave taki open",
            Move::EndTurn => "end turn",
            Move::Decline => "decline",
            Move::Declare => "last card",
            Move::Silent => "silent",
            Move::Catch => "catch",
            Move::LetGo => "let go",
        })
    }
}

/// Returns the action bits of the first mask word that play one of the cards in `faces` (one bit for each
/// face). `super_colors` has one bit for each color that a Super TAKI may take.
#[inline]
fn plays(faces: u64, super_colors: u64) -> u64 {
    let colored = faces & (bit(COLORED) - 1);
    let change = (faces >> CHANGE & 1) * (0b1111 << CHANGE_COLOR.offset);
    let sup = (faces >> SUPER & 1) * (super_colors << SUPER_TAKI.offset);
    colored | change | sup | (faces >> KING & 0b111) << WILD.offset
}

/// The bit of [`Move::Draw`]. All moves that play cards, and this one, fit in the first mask word.
const DRAWS: u64 = 1 << Move::Draw.id().0;
/// The bit of [`Move::EndTurn`], in the second mask word.
const ENDS_TURN: u64 = second(Move::EndTurn);

/// Returns the bit of a move within the second mask word.
const fn second(one: Move) -> u64 {
    1 << (one.id().0 - 64)
}

/// Returns the bits, in the second mask word, of the ways to end the TAKI on the table.
#[inline]
fn ends_of_run(table: &PublicState) -> u64 {
    const CLOSE: u64 = second(Move::Close);
    const LEAVE_OPEN: u64 = second(Move::LeaveOpen);
    match table.symbol {
        Some(Symbol::Taki) => LEAVE_OPEN,
        Some(Symbol::Plus) => CLOSE,
        _ if table.rules.taki_close == TakiClose::Choice => CLOSE | LEAVE_OPEN,
        _ => CLOSE,
    }
}

#[cold]
fn legal_out_of_turn(view: View<'_>) -> Legal {
    match view.table.stage {
        Stage::Window if view.own.answer == Answer::Asked => {
            let cards = view.own.hand.once & view.table.answers(view.seat);
            Words([plays(cards, 0), second(Move::Decline)])
        }
        Stage::LastCard { seat, .. } if seat == view.seat => {
            Words([0, second(Move::Declare) | second(Move::Silent)])
        }
        Stage::Catch { asked, .. } if asked == view.seat => {
            Words([0, second(Move::Catch) | second(Move::LetGo)])
        }
        _ => Legal::EMPTY,
    }
}

/// Returns whether the rules allow a move. Independent of the bit arithmetic of [`Actions::legal`], which the
/// tests compare with it.
fn allows(view: View<'_>, chosen: Move) -> bool {
    let (table, hand) = (view.table, &view.own.hand);
    if chosen.card().is_some_and(|card| hand.count(card) == 0) {
        return false;
    }
    let my_turn = table.turn == view.seat;
    let asked = table.stage == Stage::Window && view.own.answer == Answer::Asked;
    let ends_run = table.stage == Stage::Run && may_end_run(table, hand);
    let (bare, plus) = (table.symbol == Some(Symbol::Taki), table.symbol == Some(Symbol::Plus));
    match chosen {
        Move::Colored(color, symbol) => {
            let fits = match table.stage {
                Stage::Turn if table.debt > 0 => symbol == Symbol::Plus2,
                Stage::Turn | Stage::Owe => color == table.color || Some(symbol) == table.symbol,
                Stage::Run => color == table.color,
                Stage::Free => true,
                _ => false,
            };
            my_turn && fits
        }
        Move::Super(color) => {
            let chooses = table.rules.super_on_king == SuperOnKing::Choose && table.stage == Stage::Free;
            let fits = match table.stage {
                Stage::Turn => table.debt == 0 && !covers_plus3(table),
                Stage::Owe | Stage::Run | Stage::Free => true,
                _ => false,
            };
            my_turn && fits && (color == table.color || chooses)
        }
        Move::Change(_) => {
            let fits = match table.stage {
                Stage::Turn => table.debt == 0 && !covers_plus3(table),
                stage => goes_on(stage) || ends_run && table.rules.run_wilds == RunWilds::Faq,
            };
            my_turn && fits
        }
        Move::King => {
            let fits = match table.stage {
                Stage::Turn => true,
                stage => goes_on(stage) || ends_run && table.rules.run_wilds == RunWilds::Faq,
            };
            let next = table.steps(table.turn, view.seat) == 1;
            let answers = asked && next && table.rules.king_vs_plus3 == KingVsPlus3::NextPlayer;
            answers || my_turn && fits
        }
        Move::Plus3 => {
            let fits = match table.stage {
                Stage::Turn => table.debt == 0,
                stage => goes_on(stage) || ends_run && table.rules.run_wilds == RunWilds::Faq,
            };
            let next = table.steps(table.turn, view.seat) == 1;
            let answers = asked && next && table.rules.plus3_vs_plus3 == Plus3VsPlus3::NextPlayer;
            answers || my_turn && fits
        }
        Move::Breaker => {
            let fits = match table.stage {
                Stage::Turn => table.debt == 0,
                stage => goes_on(stage),
            };
            asked || my_turn && fits
        }
        Move::Draw => {
            let anytime = table.rules.draw_policy == DrawPolicy::Anytime || table.debt > 0;
            let may = matches!(table.stage, Stage::Turn | Stage::Owe);
            let plays = |other: Move| other.card().is_some_and(|card| card != BREAKER) && allows(view, other);
            my_turn && may && (anytime || !Move::all().any(plays))
        }
        Move::Close => my_turn && ends_run && !bare,
        Move::LeaveOpen => {
            let may = bare || !plus && table.rules.taki_close == TakiClose::Choice;
            my_turn && ends_run && may
        }
        Move::EndTurn => my_turn && table.stage == Stage::Free,
        Move::Decline => asked,
        Move::Declare | Move::Silent => {
            matches!(table.stage, Stage::LastCard { seat, .. } if seat == view.seat)
        }
        Move::Catch | Move::LetGo => {
            matches!(table.stage, Stage::Catch { asked, .. } if asked == view.seat)
        }
    }
}

/// Returns whether the player may lay another card after their own Plus or King.
fn goes_on(stage: Stage) -> bool {
    matches!(stage, Stage::Owe | Stage::Free)
}

/// Returns whether the top card is a +3 whose effect is over, and the rules forbid covering it with Change
/// Color or Super TAKI.
fn covers_plus3(table: &PublicState) -> bool {
    !table.rules.cover_resolved_plus3 && table.top == PLUS3
}

/// Returns whether a player with this hand may end their TAKI.
fn may_end_run(table: &PublicState, hand: &Cards) -> bool {
    let keeps = |&symbol: &Symbol| hand.count(deck::colored(table.color, symbol)) > 0;
    table.rules.taki_follow == TakiFollow::Optional || !Symbol::ALL.iter().any(keeps)
}
