//! # Tachtigen
//!
//! Four players, 33 cards: 7 to ace of four suits and the six of hearts. The highest bidder, often with
//! a partner whom nobody knows yet, must make what he bid, in tricks and in roem.
//!
//! 1. **Deal and opening** (`auction.rs`): eight cards each, one in the middle. One after the other the
//!    players open with a bid, or hold.
//! 2. **Auction** (`auction.rs`, `ladder.rs`): clockwise, higher or out. From 80 points up, with misère,
//!    zwabber, ouverte, praatje and privé between and above.
//! 3. **Kitty, trump, asking** (`contract.rs`): the bidder takes the card from the middle, puts one
//!    aside, names trump, and in a points contract asks for a card whose holder is his secret partner,
//!    or plays alone. From the hand the kitty stays where it is.
//! 4. **Play** (`follow.rs`, `play.rs`): eight tricks. Follow suit or trump; who cannot follow must
//!    trump, higher than the trumps in the trick. A lone trump jack may be kept twice when trump is led.
//!    The bidder may call the asked card when he leads its suit. Roem (`roem.rs`, `announce.rs`) is
//!    announced with the bidder's first card and with the asked card.
//! 5. **Score** (`score.rs`): rounded points, roem and bonus against the bid; fixed contracts win or
//!    lose what they are worth.

mod actions;
mod announce;
mod auction;
mod certain;
mod check;
mod chosen;
mod contract;
mod course;
mod deck;
mod follow;
mod habits;
mod ladder;
mod lines;
mod moves;
mod narrate;
mod observation;
mod play;
mod record;
mod redeal;
mod roem;
mod round;
mod rules;
#[cfg(not(target_family = "wasm"))]
mod scene;
mod score;
mod scripted;
mod seats;
mod table;
mod teach;
#[cfg(test)]
mod tests;
mod words;

pub use course::{Course, Plays};
pub use deck::{Card, Cards, Suit, Trump};
pub use ladder::{Bid, Kind};
pub use lines::{Deal, Event};
pub use moves::Move;
pub use roem::Claim;
pub use rules::*;
pub use seats::Each;
pub use table::{Asked, Auction, Own, Round, Stage, Standing, Table, View};
