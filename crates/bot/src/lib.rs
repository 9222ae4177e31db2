//! Playing without burn: exported networks, scripted players, searching bots, and the arena.
//!
//! # Load a shipped bot
//!
//! [`open`] loads a bot by name or from the path of a bundle. [`Bot::pick`] returns its move.
//!
//! ```
//! use cardsharp_bot::open;
//! use cardsharp_env::game;
//!
//! let taki = game("taki").expect("one of the games");
//! let bundle = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/taki/bot");
//! let mut bot = open(bundle, taki, 0.0, 1)?;
//! let mut table = taki.default_rules().table(7);
//! while let Some(view) = table.asked() {
//!     let action = bot.pick(view);
//!     table.try_play(action)?;
//! }
//! assert!(table.payoff().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/embedding` adds a person to the table: typed moves, hints, and moves taken back.
//!
//! # Write a bot, and measure it
//!
//! [`Bot::pick`] is enough; the default methods derive batches, advice and probabilities from it. `examples/own-bot` is
//! a bot for any game, which deals the hidden cards again and plays the round out.
//!
//! ```
//! use std::time::Duration;
//!
//! use cardsharp_bot::{Bot, Contest, Player};
//! use cardsharp_env::{ActionId, SeatView, Size, game, mask};
//!
//! /// Plays the last of its legal moves.
//! struct Last;
//!
//! impl Bot for Last {
//!     fn name(&self) -> &str {
//!         "last"
//!     }
//!     fn pick(&mut self, view: SeatView<'_>) -> ActionId {
//!         mask::actions(&view.legal_words()).last().unwrap_or_default()
//!     }
//! }
//!
//! let rules = game("dalmuti").expect("one of the games").default_rules();
//! let rules = rules.sized(Size { players: Some(4), rounds: Some(1) })?;
//! let bots = vec![Player::new("last", |_| Box::new(Last)), Player::random()];
//! let report = Contest::new(&rules, bots, 20, 1)?.run(&mut || Duration::ZERO);
//! println!("place score {:+.2}", report.bots[0].place_score.mean);
//! assert_eq!(report.deals, 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! - [`net`] computes networks, and [`mod@file`] stores them.
//! - [`bots`] picks moves, and [`arena`] measures bots.
//! - [`mod@bundle`] exports a bot with all its files into one folder.
//! - [`solve`] solves small games exactly.
//!
//! Nothing here reads a clock or draws random seeds: callers supply both. Only [`workers`], and a search that asks for
//! threads ([`bots::LoadOptions`]), use threads. So everything builds for WebAssembly, and the same seed gives the same
//! games.

#![warn(missing_docs)]

pub mod arena;
pub mod arithmetic;
pub mod beliefs;
pub mod bot;
pub mod bots;
pub mod bundle;
pub mod disk;
pub mod endgame_solver;
pub mod file;
pub mod identity;
pub mod manifest;
pub mod net;
mod policy_net;
pub mod puzzle;
pub mod review;
pub mod run_record;
pub mod seal;
pub mod shell;
pub mod solve;
pub mod stats;
pub mod text;
pub mod workers;

pub use arena::{Contest, Report};
pub use bot::{Advice, Bot, DecisionBatch, Evaluation, Ranked, Stop};
pub use bots::{LoadOptions, OpenError, Player, Trained, load, load_with, open, open_with};
pub use net::{Net, Scratch};
pub use policy_net::PolicyNet;
