//! # TAKI
//!
//! 116 cards in four colors and some without a color; 2–10 players. Match the color or the symbol of the top
//! card. The first player without cards wins.
//!
//! 1. **Deal** (`opening`): 8 cards each; in a tournament, as many as there are stages. A colored card is
//!    turned up, without its action.
//! 2. **Turn** (`turn`): play a card that matches, or a colorless one, or draw one. Stop skips a player, +2
//!    cards add up to a debt, Change Direction reverses the order of turns, and Plus demands another card. A
//!    King cancels everything, and any card may follow it.
//! 3. **TAKI** (`turn`): all cards of its color may follow; only the last one acts. The next player may
//!    continue a TAKI that was left open.
//! 4. **+3** (`turn`): all others draw three cards, unless a player breaks it or the next player cancels it
//!    with a King. A house rule lets the next player answer with another +3, which replaces the first one.
//! 5. **Last card** (`turn`): players announce it or draw penalty cards.
//! 6. **Drawing** (`piles`): if the draw pile is empty, the discards are shuffled into a new one.
//! 7. **The end** (`round`): an empty hand wins, or finishes a stage of the tournament.

#![warn(missing_docs)]

mod actions;
mod check;
mod deck;
mod determinize;
mod endgame;
mod event_log;
mod habits;
mod memory;
mod narrate;
mod observation;
mod opening;
mod piles;
mod round;
mod rules;
mod scripted;
mod state;
mod teach;
#[cfg(test)]
mod tests;
mod turn;

use cardsharp_engine::game::Schemas;
use cardsharp_engine::rules::RuleSet;
use cardsharp_engine::{AnyGame, Erased, Explainer, Taught, Teacher, rule_sets};

pub use actions::Move;
pub use deck::{
    BREAKER, CHANGE, Card, Cards, Color, KING, PLUS3, SUPER, Symbol, card_from, card_name, colored,
    from_text, list_to_text, parts, to_text,
};
pub use endgame::{Endgame, EndgameError};
pub use memory::{Buried, Proof, Proofs};
pub use narrate::{Deal, Event};
pub use rules::{
    DrawPolicy, FirstPlayer, KingVsPlus3, LastCard, MaxDecisions, Mode, Plus3Last, Plus3VsPlus3, PlusLast,
    Ranking, Rules, RunWilds, StartCard, SuperOnKing, TakiClose, TakiFollow, TwoPlayerDirection,
};
pub use state::{
    AfterLastCard, Answer, Direction, GameEnd, PrivateState, PublicState, Round, SessionState, Stage,
};

/// What a seat may know.
pub type View<'a> = cardsharp_engine::game::View<'a, Round>;

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
pub const RULE_SETS: &[RuleSet] = rule_sets!["challenge", "free", "single", "strict", "tournament", "two"];
