//! A player of few rules: it bets what is good, calls with what is fair, and never bluffs.

use super::betting::Act;
use super::cards::{RANKS, worth};
use super::{Variant, View, betting};
use crate::game::{ActionId, Character};

/// How many ranks higher than for the yardstick a hand must be, to each character.
pub(super) const fn shift(character: Character) -> i32 {
    match character {
        Character::Cautious => 1,
        Character::Aggressive => -1,
    }
}

/// The move for a view with a decision, where hands are good and fair that are `shift` ranks higher than
/// for the yardstick.
pub(super) fn choose<V: Variant>(view: View<'_, V>, shift: i32) -> ActionId {
    let betting = betting::<V>(view.table);
    let hand = worth(view.own.card, view.table.board) as i32 - shift;
    let king = RANKS as i32 - 1;
    // With the table's card in sight a lone king may be beaten by a pair.
    let (good, fair) = if betting.street == 0 { (king, king - 1) } else { (king + 1, king) };
    let wanted = match hand {
        hand if hand >= good => Act::Raise,
        hand if hand >= fair || !betting.faces_bet() => Act::Call,
        _ => Act::Fold,
    };
    if betting.allows(&V::STAKES, wanted) { wanted.id() } else { Act::Call.id() }
}
