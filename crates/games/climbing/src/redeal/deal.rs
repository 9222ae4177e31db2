//! A determinized deal: what each position holds, gave and received.

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::hands::Counts;

use super::cards::{Each, beyond, sum};

/// Two positions that exchange `cards` cards: `low` pays the tribute, and `high` gives as many cards back.
#[derive(Copy, Clone)]
pub struct Pair {
    /// The position that receives the tribute.
    pub high: usize,
    /// The position that pays it.
    pub low: usize,
    /// Number of cards each gives.
    pub cards: u8,
}

/// Hands by position, and the cards that each position gave and received.
#[derive(Copy, Clone)]
pub struct Deal<const N: usize> {
    /// Cards in hand.
    pub hands: Each<Counts<N>>,
    /// Cards that each position gave.
    pub given: Each<Counts<N>>,
    /// Cards that each position received.
    pub received: Each<Counts<N>>,
}

impl<const N: usize> Deal<N> {
    /// A deal in which no card has moved yet.
    pub fn of(hands: Each<Counts<N>>) -> Self {
        Self { hands, given: [Counts::NONE; MAX_SEATS], received: [Counts::NONE; MAX_SEATS] }
    }

    /// Moves the tribute `paid` from the low position of a pair to the high one.
    pub fn pay(&mut self, pair: Pair, paid: Counts<N>) {
        self.hands[pair.low].remove(&paid);
        self.hands[pair.high].add(&paid);
        (self.given[pair.low], self.received[pair.high]) = (paid, paid);
    }

    /// Records an exchange that led to the present hands. The first position received `got` and gave `gave`.
    pub fn note(&mut self, [first, second]: [usize; 2], got: Counts<N>, gave: Counts<N>) {
        (self.received[first], self.given[second]) = (got, got);
        (self.given[first], self.received[second]) = (gave, gave);
    }

    /// The cards originally dealt to a position that has `played` these cards since.
    pub fn dealt(&self, position: usize, played: &Counts<N>) -> Counts<N> {
        let mut cards = sum(&self.hands[position], played);
        cards.add(&self.given[position]);
        beyond(&cards, &self.received[position])
    }
}
