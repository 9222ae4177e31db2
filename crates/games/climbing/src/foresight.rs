//! Exact knowledge with two players left: the view determines all cards, and only the last two places are open.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Foresight, Key, Play};
use cardsharp_engine::hands::Counts;
use cardsharp_engine::rng::Draw;

use super::{Trick, TrickRules};

/// How far the view of the player at position `me` determines the rest of the round.
///
/// With two players left, the opponent holds every card that is neither in the viewer's hand nor played.
pub fn foresight(trick: &Trick, me: u8) -> Foresight {
    if trick.still_in.len() == 2 && trick.still_in.has(me) { Foresight::Round } else { Foresight::Nothing }
}

/// The trick after the player at `position` goes out next. That ends the round, because only two players are left.
fn if_next(trick: &Trick, position: u8) -> Trick {
    let mut ended = *trick;
    ended.turn = position;
    ended.play(0, 1, 0, true, TrickRules::PLAIN);
    ended
}

/// The least and the greatest reward of `seat` over the possible ends of the round: each player left may go out next.
pub fn stakes<G: Play>(
    round: &G,
    rules: &G::Rules,
    seat: Seat,
    trick: impl Fn(&mut G) -> &mut Trick,
) -> [f32; 2] {
    let mut standing = G::seating(rules, &mut Draw::new(0, 0));
    let now = *trick(&mut round.clone());
    now.still_in.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[least, most], position| {
        let mut ended = *round;
        *trick(&mut ended) = if_next(&now, position);
        let reward = ended.settle(&mut standing).reward[seat.index()];
        [least.min(reward), most.max(reward)]
    })
}

/// Packs the position into a key: the hands of the two players left, and the state of the trick.
pub fn key<const N: usize>(trick: &Trick, hand: impl Fn(usize) -> Counts<N>) -> Key {
    /// Ranks in one 64-bit word: each rank takes five bits for its card count.
    const IN_WORD: usize = 12;
    const { assert!(N <= 2 * IN_WORD) };
    let mut key = [0; 5];
    for (place, position) in trick.still_in.iter().take(2).enumerate() {
        let Counts(counts) = hand(position.into());
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
