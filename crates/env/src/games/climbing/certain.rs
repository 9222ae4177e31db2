//! Two players left: all cards are known, and only the order of the last two places is open.

use super::{Customs, Trick};
use crate::game::{Foresight, Key};
use crate::ground::hands::Counts;

/// How far the player at position `me` foresees a round in which all cards but those `gone` and in his own hand are held by
/// the others.
pub fn foresight(trick: &Trick, me: u8) -> Foresight {
    if trick.still_in.len() == 2 && trick.still_in.has(me) { Foresight::Round } else { Foresight::Nothing }
}

/// The course of play if the player at this position is the next to go out, the last of all but one.
fn if_next(trick: &Trick, position: u8) -> Trick {
    let mut ended = *trick;
    ended.turn = position;
    ended.play(0, 1, 0, true, Customs::PLAIN);
    ended
}

/// The least and the greatest of the rewards that the ends bring in which one of those who are left is the next to go out; `reward`
/// says what a round is worth whose course of play has ended so.
pub fn stakes(trick: &Trick, mut reward: impl FnMut(Trick) -> f32) -> [f32; 2] {
    trick.still_in.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[least, most], position| {
        let reward = reward(if_next(trick, position));
        [least.min(reward), most.max(reward)]
    })
}

/// The position: the hands of the two who are left, and the course of play.
pub fn key<const N: usize>(trick: &Trick, hand: impl Fn(usize) -> Counts<N>) -> Key {
    /// Ranks in a word, with five bits for the cards of each.
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
    // One player is skipped at most, and no position is 15.
    let skipped = if skipped.is_empty() { 15 } else { u64::from(skipped.lowest()) };
    key[4] = skipped << 56 | bytes << 16 | u64::from(passed.0);
    key
}
