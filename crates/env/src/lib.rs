//! Card games as reinforcement-learning environments.
//!
//! [`mod@game`] says what a game is, [`games`] lists them, [`batch`] plays many sessions side by side
//! for learners and arenas, [`table`] one session for people and bindings. No threads, no files, no
//! clock, no ambient randomness; everything builds for wasm.

pub mod batch;
pub mod blocks;
pub mod conformance;
pub mod enumerate;
pub mod game;
pub mod games;
pub mod hands;
pub mod list;
pub mod mask;
pub mod playout;
pub mod replay;
pub mod rng;
pub mod rules;
pub mod session;
pub mod speed;
pub mod table;

pub use batch::{AnyView, Batch, BatchEnv, LaneState};
pub use blocks::Block;
pub use game::{ActionId, Character, Contract, Game, MAX_SEATS, OwnedView, Payoff, Seat, Turn, View};
pub use games::{AnyGame, GAMES, game};
pub use playout::Playout;
pub use rng::{DealRng, Draw};
pub use rules::{Rules, RulesError};
pub use session::Session;
pub use table::{AnyTable, Table};
