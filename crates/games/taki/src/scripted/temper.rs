//! The bonus that each character adds to the value of a move, in turns.

use cardsharp_engine::game::Character;

use crate::View;
use crate::deck::Symbol;
use crate::moves::Move;
use crate::table::Stage;

/// Bonus for playing each kind of card.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Temper {
    /// Stop, +2, Change Direction, Plus and +3.
    action: f32,
    /// TAKI and Super TAKI.
    taki: f32,
    /// King and Change Color.
    wild: f32,
}

/// No bonus.
const PLAIN: Temper = Temper { action: 0.0, taki: 0.0, wild: 0.0 };
/// Prefers numbers, and saves action cards for the end of the game and for answers.
const CAUTIOUS: Temper = Temper { action: -1.2, taki: -1.0, wild: -1.0 };
/// Prefers action cards, regardless of their effect.
const AGGRESSIVE: Temper = Temper { action: 1.2, taki: 1.5, wild: 0.3 };
/// The cautious player stops saving cards if any player has at most this many.
const END: u8 = 2;

/// Returns a character's bonuses in this position.
pub(super) fn of(view: View<'_>, character: Character) -> Temper {
    let table = view.table;
    // Cards that follow within a TAKI, or after a Plus or a King, cost no extra turn: play them without a
    // bonus.
    if table.stage != Stage::Turn {
        return PLAIN;
    }
    let sizes = &table.sizes[..usize::from(table.players())];
    match character {
        // The player must answer or pay a debt.
        Character::Cautious if table.debt > 0 || sizes.iter().any(|&size| size <= END) => PLAIN,
        Character::Cautious => CAUTIOUS,
        Character::Aggressive => AGGRESSIVE,
    }
}

impl Temper {
    /// Returns the bonus for a move.
    pub(super) fn likes(&self, chosen: Move) -> f32 {
        match chosen {
            Move::Colored(_, Symbol::Taki) | Move::Super(_) => self.taki,
            Move::Colored(_, symbol) if symbol.is_number() => 0.0,
            Move::Colored(..) | Move::Plus3 => self.action,
            Move::King | Move::Change(_) => self.wild,
            // A Breaker in one's own turn is a last resort for every character.
            Move::Breaker
            | Move::Draw
            | Move::Close
            | Move::LeaveOpen
            | Move::EndTurn
            | Move::Decline
            | Move::Declare
            | Move::Silent
            | Move::Catch
            | Move::LetGo => 0.0,
        }
    }
}
