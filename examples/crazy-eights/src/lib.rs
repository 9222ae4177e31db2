//! # Crazy Eights
//!
//! As OpenSpiel plays it, in a crate of its own: what a game outside of `cardsharp` looks like.
//!
//! 1. **Deal** ([`round`]): 52 cards, two decks for more than five players; 5 cards each, 7 for two. A card other
//!    than an eight is turned up beside the draw pile. Who sits after the dealer begins.
//! 2. **Turn** ([`actions`]): lay a card of the suit or the rank on top, or an eight on anything and name
//!    the suit to follow; or draw one card, up to five in a turn, also with a card that fits. Who has drawn
//!    them, or finds the draw pile used up, may pass.
//! 3. **Special cards** (an option): a two makes the next player draw two cards, who may lay a two instead, so that
//!    the one after him owes four; a queen skips a player, an ace changes the direction.
//! 4. **Draw pile**: when it is used up everybody lays or passes; by another option the discards
//!    under the top card become the draw pile.
//! 5. **The end**: somebody has laid all cards, or 100 cards were laid, or everybody has passed and one more.
//!    Cards in hand cost points: an eight 50, jack to ace 10, others what [`rules::Scoring`] says.

pub mod actions;
pub mod cards;
mod check;
mod chosen;
mod habits;
mod narrate;
pub mod observation;
mod record;
mod redeal;
pub mod round;
pub mod rules;
mod scripted;
pub mod table;
#[cfg(test)]
mod tests;

use cardsharp_env::{AnyGame, Erased};

pub use round::{Round, Standing};
pub use rules::Rules;

/// What a seat may know.
pub type View<'a> = cardsharp_env::View<'a, Round>;

/// The game, for a list of games.
pub static CRAZY_EIGHTS: &dyn AnyGame = &Erased::<Round>::new();
