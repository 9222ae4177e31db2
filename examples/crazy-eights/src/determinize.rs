//! Determinizes a view: deals a random full game that is consistent with it.
//!
//! Drawing and passing are possible with any cards, so they prove nothing. A view proves only the viewer's cards, the
//! discards, the number of cards in each hand, and how many of these are older than the draw pile. So old cards go
//! to hands with old cards, and the others to the remaining places.

use cardsharp_env::DealRng;
use cardsharp_env::game::Determinize;

use crate::View;
use crate::cards::{CARDS, Card, Cards};
use crate::state::{PrivateState, Round, SEATS};

/// Cards to shuffle and hand out.
struct Packet {
    cards: [Card; CARDS],
    left: usize,
}

impl Packet {
    fn of(set: Cards) -> Self {
        let mut cards = [Card::default(); CARDS];
        cards.iter_mut().zip(set.iter()).for_each(|(place, card)| *place = card);
        Self { cards, left: usize::from(set.len()) }
    }

    fn as_mut_slice(&mut self) -> &mut [Card] {
        &mut self.cards[..self.left]
    }

    /// Returns `count` cards, or none if there are fewer.
    fn hand_out(&mut self, count: u8) -> Option<Cards> {
        let rest = self.left.checked_sub(usize::from(count))?;
        let cards = self.cards[rest..self.left].iter().copied().collect();
        self.left = rest;
        Some(cards)
    }
}

impl Determinize for Round {
    fn determinize(view: View<'_>, mut rng: DealRng) -> Option<Self> {
        let table = view.table;
        let (mut old, mut new) =
            (Packet::of(table.unseen_old(view.own)), Packet::of(table.unseen_new(view.own)));
        rng.draw(|draw| {
            draw.shuffle(old.as_mut_slice());
            draw.shuffle(new.as_mut_slice());
        });
        let mut own = [PrivateState { hand: Cards::NONE }; SEATS];
        for (seat, own) in own.iter_mut().enumerate().take(usize::from(table.rules.players)) {
            own.hand = if seat == view.seat.index() {
                view.own.hand
            } else {
                let younger = table.sizes[seat].checked_sub(table.old[seat])?;
                old.hand_out(table.old[seat])?.with(new.hand_out(younger)?)
            };
        }
        let complete = old.left == 0 && new.left == usize::from(table.pile);
        complete.then_some(Self { table: *table, own, pile: new.cards, rng })
    }
}
