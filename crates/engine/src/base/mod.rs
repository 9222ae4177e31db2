//! The lowest layer: seats, actions, random streams, cards in hand, rows and masks in named blocks, options.
//! Nothing here depends on what a game is.

pub mod blocks;
pub mod hands;
pub mod ids;
pub mod list;
pub mod listed;
pub mod mask;
pub mod options;
pub mod rng;
pub mod rules;
pub mod schema;
pub mod seed;

pub use ids::{ActionId, MAX_SEATS, Seat};
