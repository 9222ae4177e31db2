//! # The Great Dalmuti
//!
//! Ranks 1 (the Dalmuti, best) to 12 (the Peasants) with as many copies as their number, and two
//! Jesters: 80 cards, all dealt out to 4–12 players seated by rank. Get rid of your cards first to
//! become the Greater Dalmuti of the next hand.
//!
//! 1. **Deal** (`opening`): one card at a time from the Greater Dalmuti. As an option a card is
//!    exposed; the Greater Dalmuti decides whether it goes to the Greater Peon.
//! 2. **Revolution** (`opening`): who was dealt both Jesters may call one: no taxes. Called by the
//!    Greater Peon it also turns all positions around.
//! 3. **Taxes** (`tax`): the Greater Peon's best two cards go to the Greater Dalmuti for any two,
//!    the Lesser Peon's best to the Lesser Dalmuti for any one. As an option the highest Merchant
//!    swaps a card blindly with another one.
//! 4. **Play** (`play`): lead any set of one rank, or follow with as many cards of a better rank,
//!    or pass. Jesters join any rank; alone they are rank 13. When all others have passed, the last
//!    player leads; if he has gone out, the next one clockwise.
//! 5. **Score** (`play`): places in the order of going out are the next hand's positions.

mod actions;
mod certain;
mod check;
mod chosen;
mod deck;
mod habits;
mod lines;
mod moves;
mod narrate;
mod observation;
mod opening;
mod play;
mod record;
mod redeal;
mod round;
mod rules;
#[cfg(not(target_family = "wasm"))]
mod scene;
mod scripted;
mod state;
mod table;
mod tax;
mod teach;
#[cfg(test)]
mod tests;

pub use deck::{Cards, JESTER, RANKS, Rank, from_text, rank_name, title, to_text};
pub use lines::{Deal, Event, ExposedCard};
pub use moves::{DeckSet, Merchant, Move};
pub use rules::{
    HandCountView, MerchantExchange, Reward, Rules, Scoring, Seating, Shaping, Strip, TaxVisibility,
};
pub use state::{Round, Standing, View};
pub use table::{Ask, Exposed, ExposedFate, Own, Revolution, Stage, Table};
