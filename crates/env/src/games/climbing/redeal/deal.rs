//! What everybody holds, was given and has received.

use super::cards::{Each, beyond, sum};
use crate::ground::MAX_SEATS;
use crate::ground::hands::Counts;

/// Two positions that exchange `cards` cards: the low one pays, the high one gives as many back.
#[derive(Copy, Clone)]
pub struct Pair {
    /// Who gets the tribute.
    pub high: usize,
    /// Who pays it.
    pub low: usize,
    /// How many cards.
    pub cards: u8,
}

/// Hands by position, and what was given and received in cards that have moved.
#[derive(Copy, Clone)]
pub struct Deal<const N: usize> {
    /// Cards in hand.
    pub hands: Each<Counts<N>>,
    /// Cards given.
    pub given: Each<Counts<N>>,
    /// Cards received.
    pub received: Each<Counts<N>>,
}

impl<const N: usize> Deal<N> {
    /// Hands that no card has left yet.
    pub fn of(hands: Each<Counts<N>>) -> Self {
        Self { hands, given: [Counts::NONE; MAX_SEATS], received: [Counts::NONE; MAX_SEATS] }
    }

    /// The tribute of a pair moves.
    pub fn pay(&mut self, pair: Pair, paid: Counts<N>) {
        self.hands[pair.low].remove(&paid);
        self.hands[pair.high].add(&paid);
        (self.given[pair.low], self.received[pair.high]) = (paid, paid);
    }

    /// Notes the exchange that led to the hands of two positions: what the first one got for what he
    /// gave.
    pub fn note(&mut self, [first, second]: [usize; 2], got: Counts<N>, gave: Counts<N>) {
        (self.received[first], self.given[second]) = (got, got);
        (self.given[first], self.received[second]) = (gave, gave);
    }

    /// The cards that a position which has `played` these was dealt.
    pub fn dealt(&self, position: usize, played: &Counts<N>) -> Counts<N> {
        let mut cards = sum(&self.hands[position], played);
        cards.add(&self.given[position]);
        beyond(&cards, &self.received[position])
    }
}
