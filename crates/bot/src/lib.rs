//! Playing without burn: exported networks, scripted bots, the arena.
//!
//! [`net`] computes, [`mod@file`] stores, [`bots`] plays, [`arena`] measures, [`solve`] knows small games
//! exactly. No ambient clock and no ambient randomness: callers bring them, and nothing but a search that
//! is asked to uses threads ([`bots::Means`]), so that everything builds for wasm and the same seed gives
//! the same games.

pub mod arena;
pub mod bot;
pub mod bots;
pub mod file;
pub mod net;
pub mod solve;
pub mod stats;

pub use arena::{Contest, Report};
pub use bot::{Advice, Ask, Bot, Ranked};
pub use bots::{Means, OpenError, Player, load, load_with, open, open_with};
pub use net::{Net, Scratch};
