//! Dealing again: hands that a player cannot see, drawn at random so that they fit all he knows.
//!
//! The cards nobody has shown are dealt at random to the places that the proven cards leave open
//! ([`Plan`]). An exchange the player took part in proves cards of his partner ([`Exchange`]). Pairs
//! whose exchange he did not see pay with the cards they were dealt ([`pay`]), and an exchange is
//! named that explains the result ([`explain`]).
//!
//! Rank index 0 is the best rank and `N − 1` the worst, as taxes see it: a game whose wild cards are
//! paid before all others deals with its cards in that order.

mod exchange;
mod plan;
#[cfg(test)]
pub mod testing;

use crate::ground::MAX_SEATS;
use crate::ground::hands::Counts;

pub use exchange::{Custom, Exchange, Moved, Pair, Role, better, explain, pay, spare, worst};
pub use plan::Plan;

/// One value per position.
pub type Each<T> = [T; MAX_SEATS];

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

/// The cards of `all` beyond those of `part`.
pub fn beyond<const N: usize>(all: &Counts<N>, part: &Counts<N>) -> Counts<N> {
    let mut rest = *all;
    rest.0.iter_mut().zip(&part.0).for_each(|(n, p)| *n = n.saturating_sub(*p));
    rest
}

/// Both together.
pub fn sum<const N: usize>(a: &Counts<N>, b: &Counts<N>) -> Counts<N> {
    let mut all = *a;
    all.add(b);
    all
}
