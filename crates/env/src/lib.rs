//! Card games as reinforcement-learning environments: complete rules, masked legal moves, observation rows.
//!
//! Find games by name ([`GAMES`]) and use them type-erased, or use them with their types ([`games`]). A seat knows
//! its [`SeatView`] and nothing else. There are no threads, files, clocks or ambient randomness. Everything builds
//! for WebAssembly. The same rules, seed and actions give the same session everywhere.
//!
//! # Play a session
//!
//! A [`Table`](AnyTable) checks moves, undoes them, and returns what each seat may know.
//!
//! ```
//! use cardsharp_env::game;
//! use serde_json::json;
//!
//! let dalmuti = game("dalmuti").expect("one of the games");
//! let rules = dalmuti.rules(&json!({ "players": 5, "hands": 1 }))?;
//! let mut table = rules.table(7);
//! while let Some(view) = table.asked() {
//!     // What a person would see: `view.picture()`; what a program sends: `view.json()`.
//!     let action = view.scripted();
//!     println!("seat {}: {}", view.seat().0, table.label(action));
//!     table.try_play(action)?;
//! }
//! let payoff = table.payoff().expect("the round is over");
//! assert_eq!(payoff.place[..5].iter().filter(|&&place| place == 1).count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Play many sessions in parallel
//!
//! A [`Batch`] has an observation row and a mask of legal actions for every lane.
//!
//! ```
//! use cardsharp_env::{ActionId, BatchOptions, Draw, LaneState, game, mask};
//!
//! let rules = game("taki").expect("one of the games").default_rules();
//! let mut env = rules.batch(BatchOptions { lanes: 8, skip_forced: true, rows: true, reveal: false });
//! let (mut batch, mut draw) = (env.batch(), Draw::new(1, 0));
//! (0..8).for_each(|lane| env.start(lane, 0, lane as u64, &mut batch));
//! let mut picks = vec![ActionId::default(); 8];
//! while batch.state.iter().any(|&state| state != LaneState::Idle) {
//!     for lane in (0..8).filter(|&lane| batch.state[lane] == LaneState::Decide) {
//!         let (row, legal) = (batch.row.row(lane), batch.legal.row(lane));
//!         assert!(!row.is_empty());
//!         let legal = legal.as_slice().expect("rows lie in one piece");
//!         picks[lane] = mask::nth(legal, draw.below(mask::count(legal))).expect("a legal action");
//!     }
//!     env.step(&picks, &mut batch);
//! }
//! ```
//!
//! # More
//!
//! * [`endless`] keeps lanes busy: when a session is over, the next one starts.
//! * [`SeatView::determinize`] determinizes a view, for search.
//! * [`AnyGame::view`] reads a view from JSON and refuses one that cannot occur.
//! * `examples/embedding` is a small front end with a person and bots at a table. Start your app from it.
//! * [`enumerate`] enumerates a small game completely; [`conformance`] checks a game that you wrote ([`mod@game`]).
//! * [`testing`] has tools for that game's tests. They play by move names, change views, and call the scripted
//!   player.

#![warn(missing_docs)]

pub mod games;
pub mod trace;

pub use games::{GAMES, Games, SCHEMAS, explainer, game, rule_sets, teacher};

#[doc(inline)]
pub use cardsharp_engine::*;
