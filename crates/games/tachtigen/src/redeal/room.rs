//! Unseen cards, and how many each holder can take.

use cardsharp_engine::rng::Draw;

use crate::deck::Cards;
use crate::seats::SEATS;

/// Number of holders: the four seats, and the card in the middle or put aside.
pub(super) const HOLDERS: usize = SEATS + 1;
/// Index of the card in the middle or put aside.
pub(super) const ASIDE: usize = SEATS;

/// Unseen cards, and the demand for them.
#[derive(Copy, Clone)]
pub(super) struct Room {
    /// The cards to deal.
    pub unseen: Cards,
    /// How many cards each holder gets.
    pub size: [u32; HOLDERS],
    /// The cards that each holder may get.
    pub allowed: [Cards; HOLDERS],
}

impl Room {
    /// Returns whether the cards can be dealt at all (Hall's theorem). For every group of holders, the cards
    /// that only they may get must fit into their hands.
    pub fn is_enough(&self) -> bool {
        if self.size.iter().sum::<u32>() != self.unseen.len() {
            return false;
        }
        // Build each group from a smaller one, by adding one holder.
        let mut elsewhere = [Cards::NONE; 1 << HOLDERS];
        let mut sizes = [0; 1 << HOLDERS];
        for group in 1..1usize << HOLDERS {
            let holder = group.trailing_zeros() as usize;
            let others = group & (group - 1);
            elsewhere[group] = elsewhere[others].or(self.allowed[holder]);
            sizes[group] = sizes[others] + self.size[holder];
        }
        let all = (1usize << HOLDERS) - 1;
        (0..=all).all(|group| self.unseen.minus(elsewhere[all & !group]).len() <= sizes[group])
    }

    /// Draws random cards for one holder so that the rest can still be dealt.
    pub fn draw(&self, holder: usize, draw: &mut Draw) -> Cards {
        let mut room = *self;
        let mut drawn = Cards::NONE;
        let mut open = self.unseen.and(self.allowed[holder]);
        while room.size[holder] > 0 && !open.is_empty() {
            let mut left = open.0;
            for _ in 0..draw.below(open.len()) {
                left &= left - 1;
            }
            let card = Cards(left & left.wrapping_neg());
            open = open.minus(card);
            let mut next = room;
            next.give(holder, card);
            if next.is_enough() {
                room = next;
                drawn = drawn.or(card);
            }
        }
        drawn
    }

    /// Removes cards that a holder gets.
    pub fn give(&mut self, holder: usize, cards: Cards) {
        self.unseen = self.unseen.minus(cards);
        self.size[holder] = self.size[holder].saturating_sub(cards.len());
    }
}
