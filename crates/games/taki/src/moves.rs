//! The 72 moves and the action id of each.

use cardsharp_engine::ActionId;
use cardsharp_engine::blocks;
use cardsharp_engine::blocks::width;

use super::deck::{self, BREAKER, CHANGE, Card, Color, KING, PLUS3, SUPER, SYMBOLS, Symbol};

blocks! {
    /// All actions.
    pub(super) ACTIONS {
        PLAY: "play",
    52,
    1,
    "Play a colored card: id 13c + s for colors red, blue, green, yellow and symbols 1, 3, 4, 5, 6, 7, 8, 9, stop, +2, \
         change direction, plus, taki.";
        /// Change Color.
        pub(super) CHANGE_COLOR: "change_color", 4, 1, "Play Change Color and name red, blue, green, yellow.";
        /// Super TAKI.
        pub(super) SUPER_TAKI: "super_taki",
    4,
    1,
    "Play Super TAKI as red, blue, green, yellow. Only the active color is legal, except on a King with \
        super_on_king choose.";
        /// King, +3, +3 Breaker.
        pub(super) WILD: "wild", 3, 1, "Play King; +3; +3 Breaker.";
        DRAW: "draw", 1, 1, "Draw one card, or all cards owed for +2 cards.";
        END_RUN: "end_run", 2, 1, "Close the TAKI; leave it open.";
        END_TURN: "end_turn", 1, 1, "Play no card after the King.";
        DECLINE: "decline", 1, 1, "Leave the +3 unanswered; this stays secret.";
        DECLARE: "declare", 2, 1, "Say \"last card\"; be silent.";
        CATCH: "catch", 2, 1, "Catch the player who was silent; let them go.";
    }
}

/// A move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Lays a colored card.
    Colored(Color, Symbol),
    /// Lays Change Color and names this color.
    Change(Color),
    /// Lays Super TAKI as this color.
    Super(Color),
    /// Lays a King.
    King,
    /// Lays a +3.
    Plus3,
    /// Lays a +3 Breaker.
    Breaker,
    /// Draws one card, or all cards owed for +2 cards.
    Draw,
    /// Closes the TAKI.
    Close,
    /// Leaves the TAKI open for the next player.
    LeaveOpen,
    /// Plays no card after the King.
    EndTurn,
    /// Leaves the +3 unanswered.
    Decline,
    /// Says "last card".
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
