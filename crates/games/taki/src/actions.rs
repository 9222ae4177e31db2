//! TAKI's actions: their labels, the action mask, and the same legality check written directly from the
//! rules.

use std::fmt;

use cardsharp_engine::ActionId;
use cardsharp_engine::blocks::Block;
use cardsharp_engine::game::Actions;
use cardsharp_engine::mask::Words;

use super::deck::{self, BREAKER, CHANGE, COLORED, Cards, KING, PLUS3, SUPER, Symbol, bit};
use super::moves::{ACTIONS, CHANGE_COLOR, Move, SUPER_TAKI, WILD};
use super::rules::{DrawPolicy, KingVsPlus3, Plus3VsPlus3, RunWilds, SuperOnKing, TakiClose, TakiFollow};
use super::table::{Answer, Stage, Table};
use super::{Round, View};

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

    fn label(_: Option<&Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
fn ends_of_run(table: &Table) -> u64 {
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
fn covers_plus3(table: &Table) -> bool {
    !table.rules.cover_resolved_plus3 && table.top == PLUS3
}

/// Returns whether a player with this hand may end their TAKI.
fn may_end_run(table: &Table, hand: &Cards) -> bool {
    let keeps = |&symbol: &Symbol| hand.count(deck::colored(table.color, symbol)) > 0;
    table.rules.taki_follow == TakiFollow::Optional || !Symbol::ALL.iter().any(keeps)
}
