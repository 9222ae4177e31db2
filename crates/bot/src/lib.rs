//! Playing without burn: exported networks, scripted bots, the arena.
//!
//! [`net`] computes, [`mod@file`] stores, [`bots`] plays, [`arena`] measures,
//! [`solve`] knows small games exactly. No threads, no ambient clock
//! and no ambient randomness: callers bring them, so that everything builds for wasm and the same seed
//! gives the same games.

pub mod arena;
pub mod bot;
pub mod bots;
pub mod file;
pub mod net;
pub mod solve;
pub mod stats;

pub use arena::{Contest, Report};
pub use bot::{Advice, Ask, Bot, Ranked};
pub use bots::{OpenError, Player, load, open};
pub use net::{Net, Scratch};
