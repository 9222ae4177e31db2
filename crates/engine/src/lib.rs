//! The engine that every game of cardsharp uses: seats, cards, options, the interface of a game, and ways to play any
//! game. It knows no game. [`cardsharp-env`](../cardsharp_env/index.html) adds the games and is what bots and users
//! import.

mod any;
mod base;
pub mod conformance;
mod drive;
pub mod endless;
pub mod game;
pub mod testing;

pub use any::{AnyGame, Erased, GameRules};
pub use base::blocks::Block;
pub use base::list::{List, sort_few};
pub use base::listed::Listed;
pub use base::rng::{DealRng, Draw};
pub use base::rules::{Rules, RulesError, Size};
pub use base::schema::document;
pub use base::{ActionId, MAX_SEATS, Seat};
pub use base::{blocks, hands, mask, rng, rules, schema, seed};
pub use drive::batch::{Batch, BatchEnv, BatchOptions, LaneState};
pub use drive::observer::{AnyObserver, ObserveError, Observer};
pub use drive::playout::Playout;
pub use drive::record::Audience;
pub use drive::seat_view::{AnyView, SeatView};
pub use drive::session::Session;
pub use drive::table::{AnyTable, Table};
pub use drive::teacher::{Step, Taught, Teacher};
pub use drive::{batch, enumerate, record, replay, speed, table};
pub use game::{
    Actions, Aim, Certain, Character, Check, Contract, Deals, Foresight, Game, Habits, Key, Narrate, Observe,
    OwnedView, Payoff, Play, Prefix, Record, Redeal, Scripted, Shadow, Teach, Tint, Told, Turn, View,
};
pub use game::{Scene, Seated};
#[doc(hidden)]
pub use schemars;
