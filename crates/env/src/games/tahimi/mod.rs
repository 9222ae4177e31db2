//! # Tahimi
//!
//! A deck of ordinary cards (bigger ones for more players), all dealt out to 3–8 players seated by
//! rank. Get rid of your cards first to become the Tahimi, the highest, of the next round.
//!
//! 1. **Roster** ([`roster`]): players may leave and join between rounds.
//! 2. **Decree** ([`opening`]): as an option the Tahimi chooses variations for the round.
//! 3. **Deal** ([`opening`], [`deck`]): one card at a time from the Tahimi.
//! 4. **Taxes** ([`tax`]): the lowest ranks pay their highest cards; who receives them gives any cards
//!    back.
//! 5. **Play** ([`play`]): lead any set of one rank, or follow with as many cards of a higher rank,
//!    or pass. When all others have passed, the last player leads; if he has gone out, the highest
//!    player still in, or as an option the next one clockwise.
//! 6. **Score** ([`play`]): places in the order of going out are the next round's positions.

pub mod actions;
mod check;
pub mod deck;
mod follow;
mod habits;
mod narrate;
pub mod observation;
pub mod opening;
pub mod play;
mod redeal;
pub mod roster;
mod round;
pub mod rules;
mod scripted;
pub mod table;
pub mod tax;
#[cfg(test)]
mod tests;
pub mod titles;
pub mod variant;

pub use round::{Round, Standing};

/// What a seat may know.
pub type View<'a> = crate::game::View<'a, Round>;
