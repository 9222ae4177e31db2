//! # Tahimi
//!
//! A deck of ordinary cards (larger decks for more players), all dealt to 3–8 players seated by rank. The first player
//! without cards becomes the Tahimi, the highest rank, of the next round.
//!
//! 1. **Roster** (`roster`): players may leave and join between rounds.
//! 2. **Decree** (`opening`): as an option the Tahimi chooses variations for the round.
//! 3. **Deal** (`opening`, `deck`): one card at a time, starting with the Tahimi.
//! 4. **Taxes** (`opening`): the lowest players pay their highest cards; the receivers give any cards back.
//! 5. **Play** (`round`): lead any set of one rank, or follow with as many cards of a higher rank, or pass. When all
//!    others have passed, the last player leads. If that player has gone out, the highest player still in leads, or as
//!    an option the next one clockwise.
//! 6. **Score** (`round`): the order of going out gives the positions of the next round.

#![warn(missing_docs)]

mod actions;
mod check;
mod deck;
mod determinize;
mod event_log;
mod narrate;
mod observation;
mod opening;
mod roster;
mod round;
mod rules;
mod scripted;
mod state;
mod teach;
#[cfg(test)]
mod tests;
mod variant;

use cardsharp_engine::game::Schemas;
use cardsharp_engine::rules::RuleSet;
use cardsharp_engine::{AnyGame, Erased, Explainer, Taught, Teacher, rule_sets};

pub use actions::{DeckSet, Move};
pub use deck::{Cards, JOKER, Ladder, RANKS, Rank, from_text, named, to_text};
pub use event_log::{Deal, Event};
pub use roster::{JoinPolicy, ScriptEntry};
pub use rules::{Decree, DeucesSpecial, HandCountView, Reward, Rules, Seating, Shaping, Trim};
pub use state::{Ask, PrivateState, PublicState, Round, SeatPosition, SessionState, Stage, View, title};
pub use variant::{Bundle, Deck, JokerTax, Jokers, TaxSchedule, Variant};

/// Returns the game without its types. Its code is compiled in this crate, because it is never inlined.
#[inline(never)]
pub fn game() -> &'static dyn AnyGame {
    const { &Erased::<Round>::new() }
}

/// Returns the schemas of its views and its traces.
#[inline(never)]
pub fn schemas() -> Schemas {
    Schemas::of::<Round>()
}

/// Returns the names of the explanations, for a front end with its translations.
#[inline(never)]
pub fn explainer() -> Box<dyn Explainer> {
    Box::new(Taught::<Round>::default())
}

/// Returns the explanations for people who learn the game.
#[inline(never)]
pub fn teacher() -> Box<dyn Teacher> {
    Box::new(Taught::<Round>::new())
}

/// Rules with a name.
pub const RULE_SETS: &[RuleSet] =
    rule_sets!["decree", "evening", "extra-suits", "house", "round", "session", "special", "three", "wild"];
