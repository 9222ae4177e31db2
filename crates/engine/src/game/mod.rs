//! The interface of a game: one trait for each concern. A game's round type implements it in the file of that
//! concern.
//!
//! | trait | content | file of a game |
//! | --- | --- | --- |
//! | [`Play`] | the rules of play: deals, turns, moves, payoffs | `round.rs` |
//! | [`Actions`] | ids, labels and legality of moves | `actions.rs` |
//! | [`Observe`] | observation rows | `observation.rs` |
//! | [`Determinize`] | determinization of a view | `determinize.rs` |
//! | [`Check`] | invariants, and impossible views | `check.rs` |
//! | [`Scripted`] | the scripted players | `scripted.rs` |
//! | [`Foresee`] | how far a view determines the rest of a round | `foresight.rs` |
//! | [`Habits`] | kinds of moves that characterize how a player plays | `habits.rs` |
//! | [`Narrate`] | deals, events and views as text | `narrate.rs` |
//! | [`EventLog`] | event logs, and rounds derived from them | `event_log.rs` |
//! | [`Deals`] | rounds of chosen cards, every deal of a small game, endgames | `chosen.rs`, `endgame.rs` |
//!
//! The conformance suite runs any game with the first three traits
//! ([`Suite::new`](crate::conformance::Suite::new)). Batches, tables, bots and the command line need a [`Game`],
//! which has all of the traits above. [`Foresee`], [`Habits`] and [`Deals`] can be left empty. Two more traits are
//! separate. [`Lines`] (`lines.rs`) has typed forms of what [`Narrate`] writes, for the list of schemas. [`Teach`]
//! (`teach.rs`) explains the game to people who learn it.

mod actions;
mod check;
mod deals;
mod event_log;
mod foresight;
mod narrate;
mod observe;
mod play;
mod schema;
mod scripted;
mod teach;
mod view;

pub(crate) use actions::has_label;
pub use actions::{ABOUT_LABELS, Actions, Habits, Label, parse_label};
pub use check::{Check, ensure, some_deal};
pub use deals::{Chosen, DealError, Deals, EndgameError, PossibleDeal};
pub use event_log::{EventLog, ImaginedRound, Update, cards_in};
pub use foresight::{Foresee, Foresight, Key};
pub use narrate::{Aim, Lines, MovePurpose, Narrate, Scene, Seated};
pub use observe::{Observe, Prefix};
pub use play::{Contract, Data, Payoff, Play, Turn};
pub use schema::{Schemas, view_schema};
pub use scripted::{Character, Scripted};
pub use teach::{COMMON_WORDS, Happened, KeyedText, Teach, Texts, Tint};
pub use view::{Determinize, OwnedView, View, ViewError};

/// A complete game. It is implemented automatically for every type with the eleven traits.
pub trait Game:
    Play + Actions + Observe + Determinize + Check + Scripted + Foresee + Habits + Narrate + EventLog + Deals
{
}

impl<
    G: Play + Actions + Observe + Determinize + Check + Scripted + Foresee + Habits + Narrate + EventLog + Deals,
> Game for G
{
}
