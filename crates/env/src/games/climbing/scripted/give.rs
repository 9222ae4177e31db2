//! Which cards to give away.

use super::Situation;
use super::hand::{Hand, Tempo};
use super::odds::Count;
use crate::ground::hands::Counts;

/// The rank index of a card to give: one of the `cards` whose loss leaves the best hand, when `more`
/// (at least 1, and fewer than the cards) have to be given one after the other. The cards are looked
/// at together, and the worst of them goes first.
pub fn give<const N: usize>(
    situation: &Situation<'_, N>,
    cards: &Counts<N>,
    more: u8,
    tempo: Tempo,
) -> usize {
    let mut giver = Giver { situation, count: Count::new(situation), tempo };
    let mut best = (f32::MIN, 0);
    for rank in (0..N).filter(|&rank| cards.0[rank] != 0) {
        let value = giver.best_without(cards, rank, more);
        if value > best.0 {
            best = (value, rank);
        }
    }
    best.1
}

struct Giver<'s, 'a, const N: usize> {
    situation: &'s Situation<'a, N>,
    count: Count<N>,
    tempo: Tempo,
}

impl<const N: usize> Giver<'_, '_, N> {
    /// The value of the best rest of `cards` without one of this rank and others as good or better,
    /// `more` in all.
    fn best_without(&mut self, cards: &Counts<N>, rank: usize, more: u8) -> f32 {
        let mut rest = *cards;
        rest.0[rank] -= 1;
        if more <= 1 {
            let hand = Hand::of(self.situation, &mut self.count, &rest);
            return hand.value(self.situation.weights, self.tempo, self.count.least);
        }
        let next = (0..=rank).filter(|&next| rest.0[next] != 0);
        next.map(|next| self.best_without(&rest, next, more - 1)).fold(f32::MIN, f32::max)
    }
}
