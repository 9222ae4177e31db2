//! Card games as reinforcement-learning environments.
//!
//! [`game`] says what a game is, [`games`] lists them, [`batch`] plays many sessions side by side
//! for learners and arenas, [`table`] one session for people and bindings. No threads, no files, no
//! clock, no ambient randomness; everything builds for wasm.

mod any;
pub mod conformance;
mod drive;
pub mod game;
pub mod games;
mod ground;

pub use any::{AnyGame, AnyView, Erased, GameRules};
pub use drive::batch::{Batch, BatchEnv, BatchOptions, LaneState};
pub use drive::playout::Playout;
pub use drive::seat_view::SeatView;
pub use drive::session::Session;
pub use drive::table::{AnyTable, Table};
pub use drive::{batch, enumerate, playout, replay, session, speed, table};
pub use game::{Actions, Character, Contract, Game, OwnedView, Payoff, Play, Turn, View};
pub use games::{GAMES, game};
pub use ground::blocks::Block;
pub use ground::rng::{DealRng, Draw};
pub use ground::rules::{Rules, RulesError, Size};
pub use ground::{ActionId, MAX_SEATS, Seat};
pub use ground::{blocks, hands, list, mask, rng, rules};
