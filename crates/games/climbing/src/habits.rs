//! Categories of plays, as evidence of how a player plays.

use cardsharp_engine::hands::Counts;

use super::sets::Set;

/// Number of categories of [`of_play`]: pass, lead, lead a single card, follow, use a wild card, and split a rank (keep
/// some of its cards).
pub const KINDS: usize = 6;

/// The categories of a play as a bit mask: a pass for `None`, or a set. The player holds `hand`; `leads` says that the
/// table is empty.
pub fn of_play<const N: usize>(hand: &Counts<N>, leads: bool, set: Option<Set>) -> u32 {
    let Some(set) = set else { return 1 };
    let splits = set.naturals > 0 && set.naturals < hand.0[usize::from(set.rank)];
    let kinds: [bool; KINDS] = [false, leads, leads && set.size() == 1, !leads, set.wilds > 0, splits];
    cardsharp_engine::mask::flags(kinds)
}
