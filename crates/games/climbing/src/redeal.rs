//! Determinization: deals the hidden cards at random, consistent with a view.
//!
//! [`Plan`] deals the unseen cards at random to the places that known cards leave open. An exchange that the viewer
//! took part in proves cards of their partner ([`Exchange`]). Pairs whose exchange the viewer did not see pay with the
//! cards dealt to them ([`pay`]). [`explain`] then finds an exchange that leads to the resulting hands.
//!
//! Rank index 0 is the best rank for taxes and `N − 1` the worst. A game in which players pay wild cards before all
//! others reorders its cards accordingly.

mod cards;
mod deal;
mod exchange;
mod plan;
pub mod testing;

pub use cards::{Each, beyond, sum};
pub use deal::{Deal, Pair};
pub use exchange::{Custom, Exchange, Moved, Role, better, explain, pay, spare, worst};
pub use plan::Plan;
