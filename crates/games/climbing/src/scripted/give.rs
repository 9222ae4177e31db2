//! Picks the cards to give away.

use cardsharp_engine::hands::Counts;

use super::hand::{Hand, Tempo};
use super::odds::Count;
use super::situation::Situation;
use crate::Below;

/// Picks the rank of a card to give: the one among `cards` whose loss leaves the best hand.
///
/// `more` is the number of cards still to give, one after the other: at least 1, and fewer than there are cards. The
/// search considers them together, and gives the worst of them first.
pub fn give<const N: usize>(
    situation: &Situation<'_, N>,
    cards: &Counts<N>,
    more: u8,
    tempo: Tempo,
) -> Below<N> {
    let mut giver = Giver { situation, count: Count::new(situation), tempo };
    let mut best = (f32::MIN, Below::LAST);
    for rank in Below::all().filter(|rank| cards.0[rank.get()] != 0) {
        let value = giver.best_without(cards, rank.get(), more);
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
    /// The value of the best hand left after giving away `more` cards: one of this rank, and the others of this rank or
    /// a better one.
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
