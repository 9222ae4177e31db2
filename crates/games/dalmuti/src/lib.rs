//! # The Great Dalmuti
//!
//! The deck has two Jesters, and ranks 1 (the Dalmuti, best) to 12 (the Peasants) with as many copies as their number.
//! These 80 cards are all dealt to 4–12 players, who are seated by rank. The first player without cards becomes the
//! Greater Dalmuti of the next hand.
//!
//! 1. **Deal** (`opening`): one card at a time, starting with the Greater Dalmuti. As an option a card is exposed, and
//!    the Greater Dalmuti decides whether it goes to the Greater Peon.
//! 2. **Revolution** (`opening`): a player dealt both Jesters may call a revolution: no taxes. If the Greater Peon
//!    calls it, all positions turn around, too.
//! 3. **Taxes** (`opening`): the Greater Peon's two best cards go to the Greater Dalmuti, who returns any two. The
//!    Lesser Peon's best card goes to the Lesser Dalmuti, who returns any one. As an option the highest Merchant swaps
//!    a card unseen with another Merchant.
//! 4. **Play** (`play`): lead any set of one rank, or follow with as many cards of a better rank, or pass. Jesters join
//!    any rank; alone they are rank 13. When all others have passed, the last player leads. If that player has gone
//!    out, the next one clockwise leads.
//! 5. **Score** (`play`): the order of going out gives the positions of the next hand.

#![warn(missing_docs)]

mod actions;
mod check;
mod chosen;
mod deck;
mod determinize;
mod event_log;
mod lines;
mod narrate;
mod observation;
mod opening;
mod round;
mod rules;
mod scripted;
mod state;
mod teach;
#[cfg(test)]
mod tests;

use cardsharp_engine::game::Schemas;
use cardsharp_engine::rules::RuleSet;
use cardsharp_engine::{AnyGame, Erased, Explainer, Taught, Teacher, rule_sets};

pub use actions::{DeckSet, Merchant, Move};
pub use deck::{Cards, JESTER, RANKS, Rank, from_text, rank_name, title, to_text};
pub use lines::{Deal, Event, ExposedCard};
pub use rules::{
    HandCountView, MerchantExchange, Reward, Rules, Scoring, Seating, Shaping, Strip, TaxVisibility,
};
pub use state::{
    Ask, Exposed, ExposedFate, PrivateState, PublicState, Revolution, Round, SessionState, Stage, View,
};

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
    rule_sets!["eight", "first-deal", "four", "hand", "house", "philanthropic", "seen", "session"];
