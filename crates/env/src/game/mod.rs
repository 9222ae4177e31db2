//! What a game is: one trait for each concern, implemented by the round in the file of that concern.
//!
//! | trait | what it says | file of a game |
//! | --- | --- | --- |
//! | [`Play`] | the rules of play: deals, turns, moves, worth | `round.rs` |
//! | [`Actions`] | ids, names and legality of moves | `actions.rs` |
//! | [`Observe`] | observation rows | `observation.rs` |
//! | [`Redeal`] | another round that a view allows | `redeal.rs` |
//! | [`Check`] | invariants, and views that cannot be | `check.rs` |
//! | [`Scripted`] | the players by rule | `scripted.rs` |
//! | [`Certain`] | what is certain in spite of hidden cards | `certain.rs` |
//! | [`Habits`] | what moves tell of how somebody plays | `habits.rs` |
//! | [`Narrate`] | deals, events and views in words | `narrate.rs` |
//! | [`Record`] | what seats are told, and rounds made of it | `record.rs` |
//! | [`Deals`] | rounds of chosen cards, every deal of a small game, endgames | `chosen.rs`, `endgame.rs` |
//!
//! The conformance suite runs a game that has the first three
//! ([`Suite::new`](crate::conformance::Suite::new)); batches, tables, bots and the command line want a
//! [`Game`], which is all of them. [`Certain`], [`Habits`] and [`Deals`] may be left empty. [`Lines`] (`lines.rs`) stands apart: it is
//! what [`Narrate`] tells, as types, for the list of schemas. So does [`Teach`] (`teach.rs`): what people are told who learn the game.

mod actions;
mod certain;
mod check;
mod deals;
mod habits;
mod lines;
mod narrate;
mod observe;
mod play;
mod record;
mod redeal;
#[cfg(not(target_family = "wasm"))]
mod scene;
mod schema;
mod scripted;
mod teach;
mod view;

pub use actions::{ABOUT_LABELS, Actions, Label, parse_label};
pub use certain::{Certain, Foresight, Key};
pub(crate) use check::ensure;
pub use check::{Check, some_deal};
pub use deals::{Chosen, Deal, DealError, Deals, EndgameError};
pub use habits::Habits;
pub use lines::Lines;
pub use narrate::{Aim, Narrate};
pub use observe::{Observe, Prefix};
pub use play::{Contract, Data, Payoff, Play, Turn};
pub use record::{Record, Shadow, Told, cards_in};
pub use redeal::Redeal;
#[cfg(not(target_family = "wasm"))]
pub use scene::{Scene, Seated};
pub use schema::{Schemas, view_schema};
pub use scripted::{Character, Scripted};
pub use teach::{Happened, Teach, Tint, Words};
pub use view::{OwnedView, View, ViewError};

/// A whole game. Nobody implements it: it is everything that has the eleven traits.
pub trait Game:
    Play + Actions + Observe + Redeal + Check + Scripted + Certain + Habits + Narrate + Record + Deals
{
}

impl<G: Play + Actions + Observe + Redeal + Check + Scripted + Certain + Habits + Narrate + Record + Deals>
    Game for G
{
}
