//! Dealing again: hands that a player cannot see, drawn at random so that they fit all he knows.
//!
//! The cards nobody has shown are dealt at random to the places that the proven cards leave open
//! ([`Plan`]). An exchange the player took part in proves cards of his partner ([`Exchange`]). Pairs
//! whose exchange he did not see pay with the cards they were dealt ([`pay`]), and an exchange is
//! named that explains the result ([`explain`]).
//!
//! Rank index 0 is the best rank and `N − 1` the worst, as taxes see it: a game whose wild cards are
//! paid before all others deals with its cards in that order.

mod cards;
mod deal;
mod exchange;
mod plan;
#[cfg(test)]
pub mod testing;

pub use cards::{Each, beyond, sum};
pub use deal::{Deal, Pair};
pub use exchange::{Custom, Exchange, Moved, Role, better, explain, pay, spare, worst};
pub use plan::Plan;
