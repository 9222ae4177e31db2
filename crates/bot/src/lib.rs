//! Playing without burn: exported networks, scripted bots, the arena.
//!
//! [`net`] computes, [`mod@file`] stores, [`bots`] plays, [`arena`] measures, [`mod@bundle`] keeps all that is
//! known of a bot in one folder, [`solve`] knows small games exactly. No ambient clock and no ambient
//! randomness: callers bring them, and nothing but a search that is asked to ([`bots::Means`]) and
//! [`workers`] uses threads, so that everything builds for wasm and the same seed gives the same games.

pub mod arena;
pub mod bot;
pub mod bots;
pub mod bundle;
pub mod file;
pub mod net;
pub mod solve;
pub mod stats;
pub mod workers;

pub use arena::{Contest, Report};
pub use bot::{Advice, Ask, Bot, Ranked};
pub use bots::{Means, OpenError, Player, load, load_with, open, open_with};
pub use net::{Net, Scratch};
