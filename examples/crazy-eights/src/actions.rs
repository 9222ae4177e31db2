//! The 58 actions, with the numbers that OpenSpiel gives them: ids, names, legality.

use std::fmt;

use cardsharp_env::mask::Words;
use cardsharp_env::{ActionId, Actions, Block, blocks};

use crate::cards::{FACES, Face, Rank, SUITS, Suit};
use crate::state::{PublicState, Stage};
use crate::{Round, View};

blocks! {
    pub ACTIONS {
        pub LAY: "lay", FACES, 1,
            "Lay a card: id 4r + s for ranks 2, 3, 4, 5, 6, 7, 8, 9, T, J, Q, K, A and suits clubs, diamonds, hearts, spades.";
        pub DRAW: "draw", 1, 1, "Draw one card, or all that are owed for twos.";
        pub PASS: "pass", 1, 1, "Pass, when no more cards may be drawn.";
        pub NAME: "name", SUITS, 1, "Name the suit to follow on an eight: clubs, diamonds, hearts, spades.";
    }
}
pub const COUNT: usize = NAME.end();

pub type Legal = Words<1>;

/// What an action is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Laying a card with this face.
    Lay(Face),
    Draw,
    Pass,
    Name(Suit),
}

impl Move {
    /// The move with this id, if there is one.
    #[inline]
    pub fn of(action: ActionId) -> Option<Self> {
        if let Some(face) = LAY.index(action) {
            return Some(Self::Lay(Face(face as u8)));
        }
        if let Some(suit) = NAME.index(action) {
            return Some(Self::Name(Suit::ALL[suit]));
        }
        match action {
            a if a == DRAW.nth(0) => Some(Self::Draw),
            a if a == PASS.nth(0) => Some(Self::Pass),
            _ => None,
        }
    }

    pub const fn id(self) -> ActionId {
        match self {
            Self::Lay(face) => LAY.nth(face.0 as usize),
            Self::Draw => DRAW.nth(0),
            Self::Pass => PASS.nth(0),
            Self::Name(suit) => NAME.nth(suit as usize),
        }
    }
}

impl Actions for Round {
    const ACTIONS: &'static [Block] = ACTIONS;
    type Legal = Legal;

    #[inline]
    fn legal(view: View<'_>) -> Legal {
        let table = view.table;
        if table.turn != view.seat {
            return Legal::EMPTY;
        }
        match table.stage {
            Stage::Turn => {
                let otherwise = if table.may_draw() { DRAW.offset } else { PASS.offset };
                Words([view.own.hand.faces() & table.playable() | 1 << otherwise])
            }
            Stage::Suit => Words([0b1111 << NAME.offset]),
            Stage::Over => Legal::EMPTY,
        }
    }

    fn is_legal(view: View<'_>, action: ActionId) -> bool {
        let (table, rules) = (view.table, &view.table.rules);
        let mine = |stage: Stage| table.turn == view.seat && table.stage == stage;
        match Move::of(action) {
            None => false,
            Some(Move::Lay(face)) => {
                let held = view.own.hand.iter().any(|card| card.face() == face);
                let fits = match face.rank() {
                    rank if table.debt > 0 => rank == Rank::TWO,
                    Rank::EIGHT => true,
                    rank => face.suit() == table.suit || rank == table.top.face().rank(),
                };
                mine(Stage::Turn) && held && fits
            }
            Some(Move::Draw) => {
                let more = table.debt > 0 || table.drawn < rules.max_draw_cards;
                mine(Stage::Turn) && table.pile > 0 && more
            }
            Some(Move::Pass) => {
                let enough = table.debt == 0 && table.drawn == rules.max_draw_cards;
                mine(Stage::Turn) && (table.pile == 0 || enough)
            }
            Some(Move::Name(_)) => mine(Stage::Suit),
        }
    }

    fn is_public(_: ActionId) -> bool {
        true
    }

    fn phase(&self) -> &'static str {
        match self.table.stage {
            Stage::Turn => "turn",
            Stage::Suit => "suit",
            Stage::Over => "none",
        }
    }

    fn label(_: Option<&PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Move::of(action) {
            Some(Move::Lay(face)) => write!(f, "{face}"),
            Some(Move::Draw) => f.write_str("draw"),
            Some(Move::Pass) => f.write_str("pass"),
            Some(Move::Name(suit)) => f.write_str(suit.name()),
            None => write!(f, "action {}", action.0),
        }
    }
}
