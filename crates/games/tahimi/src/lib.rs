//! # Tahimi
//!
//! A deck of ordinary cards (larger decks for more players), all dealt to 3–8 players seated by rank. The first player
//! without cards becomes the Tahimi, the highest rank, of the next round.
//!
//! 1. **Roster** (`script`, `roster`): players may leave and join between rounds.
//! 2. **Decree** (`opening`): as an option the Tahimi chooses variations for the round.
//! 3. **Deal** (`opening`, `deck`): one card at a time, starting with the Tahimi.
//! 4. **Taxes** (`tax`): the lowest players pay their highest cards; the receivers give any cards back.
//! 5. **Play** (`play`): lead any set of one rank, or follow with as many cards of a higher rank, or pass. When all
//!    others have passed, the last player leads. If that player has gone out, the highest player still in leads, or as
//!    an option the next one clockwise.
//! 6. **Score** (`play`): the order of going out gives the positions of the next round.

mod actions;
mod certain;
mod check;
mod chosen;
mod deck;
mod follow;
mod habits;
mod lines;
mod moves;
mod narrate;
mod observation;
mod opening;
mod play;
mod position;
mod record;
mod redeal;
mod roster;
mod round;
mod rules;
#[cfg(not(target_family = "wasm"))]
mod scene;
mod script;
mod scripted;
mod state;
mod table;
mod tax;
mod teach;
#[cfg(test)]
mod tests;
mod titles;
mod variant;

use cardsharp_engine::game::Schemas;
use cardsharp_engine::{AnyGame, Erased, Taught, Teacher};

pub use deck::{Cards, JOKER, Ladder, RANKS, Rank, from_text, named, to_text};
pub use lines::{Deal, Event as Told};
pub use moves::{DeckSet, Move};
pub use position::Position;
pub use rules::{Decree, DeucesSpecial, HandCountView, JoinPolicy, Reward, Rules, Seating, Shaping, Trim};
pub use script::Event;
pub use state::{Round, Standing, View};
pub use table::{Ask, Own, Stage, Table};
pub use titles::title;
pub use variant::{Bundle, Deck, JokerTax, Jokers, TaxSchedule, Variant};

/// The game, without its types.
pub static GAME: &dyn AnyGame = &Erased::<Round>::new();

/// The schemas of its views and its traces.
pub static SCHEMAS: Schemas = Schemas::of::<Round>();

/// Returns the explanations for people who learn the game.
pub fn teacher() -> Box<dyn Teacher> {
    Box::new(Taught::<Round>::new())
}
