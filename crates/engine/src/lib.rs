//! The engine that every game of cardsharp uses: seats, cards, options, the interface of a game, and ways to play any
//! game. It knows no game. [`cardsharp-env`](../cardsharp_env/index.html) adds the games and is what bots and users
//! import.

#![warn(missing_docs)]

mod any;
mod base;
pub mod conformance;
pub mod endless;
pub mod game;
mod runtime;
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
pub use game::{
    Actions, Aim, Character, Check, Contract, Deals, Determinize, EventLog, Foresee, Foresight, Game, Habits,
    ImaginedRound, Key, Narrate, Observe, OwnedView, Payoff, Play, Prefix, Scripted, Teach, Tint, Turn,
    Update, View,
};
pub use game::{Scene, Seated};
pub use runtime::batch::{Batch, BatchEnv, BatchOptions, LaneState};
pub use runtime::log::Audience;
pub use runtime::observer::{AnyObserver, ObserveError, Observer};
pub use runtime::seat_view::{AnyView, Playout, SeatView};
pub use runtime::session::Session;
pub use runtime::table::{AnyTable, Table};
pub use runtime::teacher::{Explainer, Piece, StepViews, Taught, Teacher};
pub use runtime::{batch, enumerate, log, replay, speed, table};
#[doc(hidden)]
pub use schemars;
