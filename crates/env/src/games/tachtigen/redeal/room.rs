//! Cards nobody has seen, and the holders who have room for them.

use crate::games::tachtigen::deck::Cards;
use crate::games::tachtigen::table::SEATS;
use crate::ground::rng::Draw;

/// The four seats, and the card in the middle or put aside.
pub(super) const HOLDERS: usize = SEATS + 1;
/// The card in the middle or put aside.
pub(super) const ASIDE: usize = SEATS;

/// Cards to deal out.
#[derive(Copy, Clone)]
pub(super) struct Room {
    /// The cards.
    pub unseen: Cards,
    /// How many each holder gets.
    pub size: [u32; HOLDERS],
    /// Which each holder may get.
    pub allowed: [Cards; HOLDERS],
}

impl Room {
    /// Whether the cards can be dealt out at all (Hall's theorem): no group of holders is left with more
    /// cards that only they may get than they have room for.
    pub fn is_enough(&self) -> bool {
        if self.size.iter().sum::<u32>() != self.unseen.len() {
            return false;
        }
        // Adding a holder to a group at a time, in the order of the groups' numbers.
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

    /// Draws the cards of one holder so that the others can still be served.
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

    /// Deals cards to a holder.
    pub fn give(&mut self, holder: usize, cards: Cards) {
        self.unseen = self.unseen.minus(cards);
        self.size[holder] = self.size[holder].saturating_sub(cards.len());
    }
}
