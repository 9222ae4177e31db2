//! What the climbing games share: sets, tricks, passing, going out, and what the table remembers.
//!
//! Lead any set of equal rank; follow with as many cards of strictly better rank, or pass. A pass is
//! not final. The trick is taken when all *other* players still in have passed since the last play.
//! The round ends when one player still holds cards. Strength is abstract: higher beats lower, and
//! each game maps its own ranks to it. What differs between the games — how wild cards play alone,
//! who leads after the taker went out, whether a leader may pass — is a parameter.

mod memory;
pub mod sets;
#[cfg(test)]
mod tests;
mod trick;

pub use memory::{Memory, REMEMBERED_SIZES};
pub use trick::{Customs, LeadAfterOut, Trick};
