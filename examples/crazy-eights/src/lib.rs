//! # Crazy Eights
//!
//! With the rules of OpenSpiel. This crate is an example of a game outside of `cardsharp`.
//!
//! 1. **Deal** ([`round`]): one deck, or two for more than five players. 5 cards each, or 7 with two players. A card
//!    other than an eight is turned up next to the draw pile. The seat after the dealer begins.
//! 2. **Turn** ([`actions`]): lay a card with the suit or the rank of the top card. Or lay an eight on any card, and
//!    name the suit to follow. Or draw one card, up to five in a turn, even if you have a card that fits. After five
//!    draws, or when the draw pile is empty, you may pass.
//! 3. **Special cards** (an option): after a two, the next player draws two cards. They may lay a two instead, and
//!    then the player after them owes four. A queen skips a player. An ace changes the direction.
//! 4. **Draw pile**: when it is empty, you lay a card or pass. With another option, the discards under the top card
//!    become the draw pile.
//! 5. **The end**: a player has no cards left, 100 cards were laid, or all players have passed and one passes again.
//!    Cards in hand cost points: an eight 50, jack to ace 10, others as [`rules::Scoring`] says.

pub mod actions;
pub mod cards;
mod check;
mod chosen;
mod determinize;
mod event_log;
mod habits;
mod narrate;
pub mod observation;
pub mod round;
pub mod rules;
mod scripted;
pub mod state;
#[cfg(test)]
mod tests;

use cardsharp_env::{AnyGame, Erased};

pub use rules::Rules;
pub use state::{Round, SessionState};

/// What a seat may know.
pub type View<'a> = cardsharp_env::View<'a, Round>;

/// The game, for a list of games.
pub static CRAZY_EIGHTS: &dyn AnyGame = &Erased::<Round>::new();
