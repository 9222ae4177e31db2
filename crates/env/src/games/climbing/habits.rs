//! What a play tells of how somebody plays.

use super::sets::Set;
use crate::ground::hands::Counts;

/// The kinds of [`of_play`]: passing, leading, leading a single card, following, using a wild card, and
/// keeping some of the cards of the rank that is played.
pub const KINDS: usize = 6;

/// The kinds that a pass (no set) or a set is of, one bit each, by a player who holds `hand` and, if
/// `leads`, finds the table empty.
pub fn of_play<const N: usize>(hand: &Counts<N>, leads: bool, set: Option<Set>) -> u32 {
    let Some(set) = set else { return 1 };
    let splits = set.naturals > 0 && set.naturals < hand.0[usize::from(set.rank)];
    let kinds: [bool; KINDS] = [false, leads, leads && set.size() == 1, !leads, set.wilds > 0, splits];
    crate::ground::mask::flags(kinds)
}
