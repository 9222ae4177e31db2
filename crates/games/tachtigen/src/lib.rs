//! # Tachtigen
//!
//! Four players, 33 cards: 7 to ace of four suits and the six of hearts. The highest bidder, often with a
//! secret partner, has to make the bid in tricks and roem.
//!
//! 1. **Deal and opening** (`auction.rs`): eight cards each, one in the middle. One after the other, players
//!    open with a bid or hold.
//! 2. **Auction** (`bids.rs`, `auction.rs`): clockwise, each player bids higher or passes for good. Bids start at 80
//!    points; misère, zwabber, ouverte, praatje and privé are between and above the points.
//! 3. **Kitty, trump, asking** (`auction.rs`): the bidder takes the card from the middle, puts one aside, and
//!    names trump. In a points contract the bidder then asks for a card, whose holder becomes the secret
//!    partner, or plays alone. In contracts from the hand the kitty stays in the middle.
//! 4. **Play** (`follow.rs`, `round.rs`): eight tricks. Players follow suit or trump; a player who cannot
//!    follow must trump, higher than the trumps in the trick. A lone trump jack may stay in hand on two trump
//!    leads. The bidder may call the asked card when leading its suit. Roem (`roem.rs`) is announced with the
//!    bidder's first card and with the asked card.
//! 5. **Score** (`score.rs`): rounded points, roem and bonus are compared with the bid. Fixed contracts win
//!    or lose their value.

#![warn(missing_docs)]

mod actions;
mod auction;
mod bids;
mod check;
mod deck;
mod determinize;
mod event_log;
mod follow;
mod foresight;
mod narrate;
mod observation;
mod roem;
mod round;
mod rules;
mod score;
mod scripted;
mod state;
mod teach;
#[cfg(test)]
mod tests;

use cardsharp_engine::game::Schemas;
use cardsharp_engine::rules::RuleSet;
use cardsharp_engine::{AnyGame, Erased, Explainer, Taught, Teacher, rule_sets};

pub use actions::Move;
pub use bids::{Bid, BidKind};
pub use deck::{Card, Cards, Suit, Trump};
pub use narrate::{Deal, Event};
pub use roem::Claim;
pub use rules::*;
pub use state::{
    AskedCard, Auction, PerSeat, PlayState, Plays, PrivateState, PublicState, Round, SessionState, Stage,
    View,
};

/// Returns the game without its types. Its code is compiled in this crate, because it is never inlined.
#[inline(never)]
pub fn game() -> &'static dyn AnyGame {
    const { &Erased::<Round>::new() }
}

/// Returns the schemas of its views and its traces.
#[inline(never)]
pub fn schemas() -> Schemas {
    Schemas::of::<Round>()
}

/// Returns the names of the explanations, for a front end with its translations.
#[inline(never)]
pub fn explainer() -> Box<dyn Explainer> {
    Box::new(Taught::<Round>::default())
}

/// Returns the explanations for people who learn the game.
#[inline(never)]
pub fn teacher() -> Box<dyn Teacher> {
    Box::new(Taught::<Round>::new())
}

/// Rules with a name.
pub const RULE_SETS: &[RuleSet] =
    rule_sets!["claims", "house", "no-trump", "pandoer", "rotterdam", "session", "short"];
