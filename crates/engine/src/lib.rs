//! The engine that every game of cardsharp uses: seats, cards, options, the interface of a game, and ways to play any
//! game. It knows no game. [`cardsharp-env`](../cardsharp_env/index.html) adds the games and is what bots and users
//! import.

mod any;
pub mod conformance;
mod drive;
pub mod endless;
pub mod game;
mod ground;
pub mod testing;

pub use any::{AnyGame, Erased, GameRules};
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
pub use ground::blocks::Block;
pub use ground::list::{List, sort_few};
pub use ground::listed::Listed;
pub use ground::rng::{DealRng, Draw};
pub use ground::rules::{Rules, RulesError, Size};
pub use ground::schema::document;
pub use ground::{ActionId, MAX_SEATS, Seat};
pub use ground::{blocks, hands, mask, rng, rules, schema, seed};
#[doc(hidden)]
pub use schemars;
