//! What the characters add to the value of a move, in turns like the value itself.

use crate::game::Character;
use crate::games::taki::View;
use crate::games::taki::actions::{self, Play};
use crate::games::taki::deck::{BREAKER, PLUS3, Symbol};
use crate::games::taki::table::Stage;
use crate::ground::ActionId;

/// How much a player likes to play which cards.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Temper {
    /// Stop, +2, Change Direction, Plus and +3.
    action: f32,
    /// TAKI and Super TAKI.
    taki: f32,
    /// King and Change Color.
    wild: f32,
}

/// Neither likes nor dislikes anything.
const PLAIN: Temper = Temper { action: 0.0, taki: 0.0, wild: 0.0 };
/// Numbers first: action cards are kept for the end, and to answer with.
const CAUTIOUS: Temper = Temper { action: -1.2, taki: -1.0, wild: -1.0 };
/// Action cards first, at whatever they do.
const AGGRESSIVE: Temper = Temper { action: 1.2, taki: 1.5, wild: 0.3 };
/// The end, for the cautious player: so few cards in his hand, or in that of any other.
const END: u8 = 2;

/// What a character likes here.
pub(super) fn of(view: View<'_>, character: Character) -> Temper {
    let table = view.table;
    // What follows within a TAKI, a Plus or a King costs no turn: everybody plays it as it comes.
    if table.stage != Stage::Turn {
        return PLAIN;
    }
    let sizes = &table.sizes[..usize::from(table.players())];
    match character {
        // A debt must be answered or paid.
        Character::Cautious if table.debt > 0 || sizes.iter().any(|&size| size <= END) => PLAIN,
        Character::Cautious => CAUTIOUS,
        Character::Aggressive => AGGRESSIVE,
    }
}

impl Temper {
    /// What is added to the value of a move.
    pub(super) fn likes(&self, action: ActionId) -> f32 {
        match actions::what(action) {
            Play::Colored(_, Symbol::Taki) | Play::Super(_) => self.taki,
            Play::Colored(_, symbol) if !symbol.is_number() => self.action,
            Play::Wild(PLUS3) => self.action,
            // A Breaker in one's own turn is the yardstick's last resort, and everybody's.
            Play::Wild(card) if card != BREAKER => self.wild,
            _ => 0.0,
        }
    }
}
