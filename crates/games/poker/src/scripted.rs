//! The scripted player: bets with good hands, calls with fair ones, and never bluffs.

use cardsharp_engine::ActionId;
use cardsharp_engine::game::{Character, Scripted};

use super::betting::Act;
use super::cards::{RANKS, worth};
use super::round::betting;
use super::{Round, Variant, View};

impl<V: Variant> Scripted for Round<V> {
    fn scripted(view: View<'_, V>) -> ActionId {
        choose(view, 0)
    }

    fn character(view: View<'_, V>, character: Character) -> ActionId {
        choose(view, shift(character))
    }
}

/// Returns how many ranks higher a hand must be for this character than for the scripted player.
const fn shift(character: Character) -> i32 {
    match character {
        Character::Cautious => 1,
        Character::Aggressive => -1,
    }
}

/// Returns the move for a view with a decision. Hands must be `shift` ranks higher than usual to count as
/// good or fair.
fn choose<V: Variant>(view: View<'_, V>, shift: i32) -> ActionId {
    let betting = betting::<V>(view.table);
    let hand = worth(view.own.card, view.table.board) as i32 - shift;
    let king = RANKS as i32 - 1;
    // Once a card is turned up, a pair may beat a lone king.
    let (good, fair) = if betting.street == 0 { (king, king - 1) } else { (king + 1, king) };
    let wanted = match hand {
        hand if hand >= good => Act::Raise,
        hand if hand >= fair || !betting.faces_bet() => Act::Call,
        _ => Act::Fold,
    };
    if betting.allows(&V::STAKES, wanted) { wanted.id() } else { Act::Call.id() }
}
