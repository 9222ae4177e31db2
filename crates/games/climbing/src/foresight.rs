//! Exact knowledge of the end of a round. With two players left, the view determines all cards, and only the last two
//! places are open. With more players left, a player goes out for certain if no other player can answer its sets.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Foresight, Key, Play};
use cardsharp_engine::hands::{Positions, RankCounts};
use cardsharp_engine::rng::Draw;

use super::{Trick, TrickRules};

/// How far the view of the player at position `me` determines the rest of the round.
///
/// With two players left, the opponent holds every card that is neither in the viewer's hand nor played. With more, it
/// is worth a look whether all sets of the hand but the last can be unbeatable. `held` returns the number of cards that
/// a position holds.
#[inline]
pub fn foresight<const N: usize>(
    trick: &Trick,
    me: u8,
    hand: &RankCounts<N>,
    unseen: impl FnOnce() -> [u8; N],
    held: impl Fn(u8) -> u8,
) -> Foresight {
    let most_held = || trick.still_in.without(me).iter().map(held).max().unwrap_or(0);
    match trick.still_in.len() {
        _ if !trick.still_in.has(me) => Foresight::Nothing,
        2 => Foresight::Round,
        3.. if trick.turn == me && beatable_ranks(hand, &unseen(), most_held()) < 2 => Foresight::OwnTurn,
        _ => Foresight::Nothing,
    }
}

/// Number of ranks in the hand whose largest set, with all wild cards of the hand, a better rank among the `unseen`
/// cards can answer. A player who goes out without interruption plays at most one such set, as the last.
/// `most_held` is the largest number of cards that one opponent holds.
fn beatable_ranks<const N: usize>(hand: &RankCounts<N>, unseen: &[u8; N], most_held: u8) -> usize {
    let (mut beatable, mut best) = (0, 0);
    for rank in 0..N - 1 {
        let size = hand.0[rank] + hand.0[N - 1];
        let answer = if best == 0 { 0 } else { (best + unseen[N - 1]).min(most_held) };
        beatable += usize::from(hand.0[rank] > 0 && answer >= size);
        best = best.max(unseen[rank]);
    }
    beatable
}

/// Whether the player at position `me` could foresee what an action led to, from its view of the first of the two
/// tricks, before the action. `played` says that the action was a set. `hand` returns the hand of a position, and
/// `choices` how many legal actions the player to act in a trick would have with these cards.
#[inline]
pub fn is_foreseen<const N: usize>(
    [before, after]: [&Trick; 2],
    me: u8,
    played: bool,
    hand: impl Fn(usize) -> RankCounts<N>,
    choices: impl FnOnce(&Trick, RankCounts<N>) -> usize,
) -> bool {
    // The other players together hold all cards that `me` does not see.
    let is_unbeatable = |trick: &Trick| {
        let (mut unseen, mut most_held) = (RankCounts::NONE, 0);
        for position in trick.still_in.without(me).iter() {
            let hand = hand(position.into());
            unseen.add(&hand);
            most_held = most_held.max(hand.total());
        }
        most_held < trick.size.into() || choices(trick, unseen) == 1
    };
    match (before.turn == me, played) {
        // The set ended the player's round or the trick, or no other player can answer it.
        (true, true) => !after.still_in.has(me) || after.size == 0 || is_unbeatable(after),
        // The others pass, because they can do nothing else.
        (false, false) => before.size != 0 && before.last == me && is_unbeatable(before),
        (true, false) | (false, true) => false,
    }
}

/// The trick after the players in `order` have gone out.
fn finished(trick: &Trick, order: impl Iterator<Item = u8>) -> Trick {
    let mut ended = *trick;
    for position in order {
        if ended.is_over() {
            break;
        }
        ended.turn = position;
        ended.play(0, 1, 0, true, TrickRules::PLAIN);
    }
    ended
}

/// The least and the greatest reward of `seat` at position `me`, whose reward depends on its place alone: it may go out
/// next, or last.
pub fn stakes<G: Play>(
    round: &G,
    rules: &G::Rules,
    (seat, me): (Seat, u8),
    trick: impl Fn(&mut G) -> &mut Trick,
) -> [f32; 2] {
    let mut standing = G::seating(rules, &mut Draw::new(0, 0));
    let now = *trick(&mut round.clone());
    let mut reward = |end: Trick| {
        let mut ended = *round;
        *trick(&mut ended) = end;
        ended.settle(&mut standing).reward[seat.index()]
    };
    let others = now.still_in.without(me);
    let last = reward(finished(&now, others.iter()));
    if !now.still_in.has(me) {
        return [last, last];
    }
    let next = reward(finished(&now, std::iter::once(me).chain(others.iter())));
    [last.min(next), last.max(next)]
}

/// Packs the position into a key: the state of the trick, and the hands of the two players left or of the player whose
/// turn it is.
pub fn key<const N: usize>(trick: &Trick, hand: impl Fn(usize) -> RankCounts<N>) -> Key {
    /// Ranks in one 64-bit word: each rank takes five bits for its card count.
    const IN_WORD: usize = 12;
    const { assert!(N <= 2 * IN_WORD) };
    let mut key = [0; 5];
    let shown = if trick.still_in.len() == 2 { trick.still_in } else { Positions(0).with(trick.turn, true) };
    for (place, position) in shown.iter().enumerate() {
        let RankCounts(counts) = hand(position.into());
        for (rank, &count) in counts.iter().enumerate() {
            key[2 * place + rank / IN_WORD] |= u64::from(count) << (rank % IN_WORD * 5);
        }
    }
    let Trick { turn, size, strength, wilds, last, passed, skipped, .. } = *trick;
    let bytes =
        [turn, size, strength, wilds, last].into_iter().fold(0, |all, byte| all << 8 | u64::from(byte));
    // At most one player is skipped. No position is 15, so 15 means that no player is skipped.
    let skipped = if skipped.is_empty() { 15 } else { u64::from(skipped.lowest()) };
    key[4] = skipped << 56 | bytes << 16 | u64::from(passed.0);
    key
}
