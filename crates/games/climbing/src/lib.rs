//! Shared rules of the climbing games: sets, tricks, passing, going out, and the table's memory.
//!
//! A player leads any set of equal rank. The others follow with as many cards of strictly better rank, or pass. A pass
//! is not final. The last player to play takes the trick when all *other* players still in have passed since that play.
//! The round ends when only one player still holds cards. Strength is abstract: higher beats lower, and each game maps
//! its ranks to it. Parameters cover the differences between the games: how wild cards play alone, who leads after the
//! trick's taker went out, and whether a leader may pass.
//!
//! Two house rules are parameters, too:
//!
//! - *Passing is final*: a player who passes on a set is out of the trick. The trick ends as soon as all others still
//!   in are out of it.
//! - *Equal rank*: a set may be answered with as many cards of the same rank, where wild cards count as the rank they
//!   stand for. Such a set either ends the trick at once or skips the next player who could answer it. A skipped player
//!   counts as having passed on the set.

#![warn(missing_docs)]

mod cards;
pub mod check;
pub mod chosen;
pub mod determinize;
pub mod event_log;
pub mod foresight;
mod form;
pub mod narrate;
pub mod observation;
pub mod scripted;
pub mod sets;
pub mod teach;
pub mod testing;
#[cfg(test)]
mod tests;
mod trick;

use cardsharp_engine::hands::RankCounts;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::{MAX_SEATS, Seat};

pub use cards::{Bounded, CardNames, CardNotation, CardsText, RankText, from_text, to_text};
pub use form::{MemoryForm, TrickForm};
pub use sets::Set;
pub use trick::{EqualRank, LeadAfterOut, Memory, REMEMBERED_SIZES, Trick, TrickRules};

/// The `k` best natural cards of a hand, or all of them if there are fewer. Rank index 0 is the best. The last rank
/// index, the wild cards, is never included.
pub fn best<const N: usize>(hand: &RankCounts<N>, k: u8) -> RankCounts<N> {
    best_of(hand, k, N - 1)
}

/// The `k` best cards of a hand among its first `ranks` rank indices, or all of these if there are fewer.
pub fn best_of<const N: usize>(hand: &RankCounts<N>, k: u8, ranks: usize) -> RankCounts<N> {
    let mut cards = RankCounts::NONE;
    let mut left = k;
    for rank in 0..ranks {
        let n = hand.0[rank].min(left);
        cards.0[rank] = n;
        left -= n;
    }
    cards
}

/// The seat at each position in the first round: in ascending order, or shuffled if `at_random`. `Seat(0)` beyond the
/// players.
pub fn seated(players: u8, at_random: bool, draw: &mut Draw) -> [Seat; MAX_SEATS] {
    let mut order = [Seat(0); MAX_SEATS];
    let taken = &mut order[..usize::from(players)];
    taken.iter_mut().zip(0..).for_each(|(at, seat)| *at = Seat(seat));
    if at_random {
        draw.shuffle(taken);
    }
    order
}

/// Number of cards dealt to a position when all `cards` are dealt one at a time, starting with position 0.
#[inline]
pub fn dealt(cards: u32, players: u8, position: u8) -> u8 {
    let (each, more) = (cards / u32::from(players), cards % u32::from(players));
    (each + u32::from(u32::from(position) < more)) as u8
}

/// A uniformly random card of a hand, as a rank index; the last rank index if the hand is empty.
pub fn random_card<const N: usize>(hand: &RankCounts<N>, draw: &mut Draw) -> usize {
    let place = draw.below(hand.total()) as usize;
    hand.cards().nth(place).unwrap_or(N - 1)
}

pub mod habits {
    //! Categories of plays, as evidence of how a player plays.

    use cardsharp_engine::hands::RankCounts;

    use super::Set;

    /// Number of categories of [`of_play`]: pass, lead, lead a single card, follow, use a wild card, and split a rank
    /// (keep some of its cards).
    pub const KINDS: usize = 6;

    /// The categories of a play as a bit mask: a pass for `None`, or a set. The player holds `hand`; `leads` says that
    /// the table is empty.
    pub fn of_play<const N: usize>(hand: &RankCounts<N>, leads: bool, set: Option<Set>) -> u32 {
        let Some(set) = set else { return 1 };
        let splits = set.naturals > 0 && set.naturals < hand.0[usize::from(set.rank)];
        let kinds: [bool; KINDS] = [false, leads, leads && set.size() == 1, !leads, set.wilds > 0, splits];
        cardsharp_engine::mask::flags(kinds)
    }
}
