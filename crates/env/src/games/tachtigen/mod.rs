//! # Tachtigen
//!
//! Four players, 33 cards: 7 to ace of four suits and the six of hearts. The highest bidder, often with
//! a partner whom nobody knows yet, must make what he bid, in tricks and in roem.
//!
//! 1. **Deal and opening** ([`auction`]): eight cards each, one in the middle. One after the other the
//!    players open with a bid, or hold.
//! 2. **Auction** ([`auction`], [`ladder`]): clockwise, higher or out. From 80 points up, with misère,
//!    zwabber, ouverte, praatje and privé between and above.
//! 3. **Kitty, trump, asking** ([`contract`]): the bidder takes the card from the middle, puts one
//!    aside, names trump, and in a points contract asks for a card whose holder is his secret partner,
//!    or plays alone. From the hand the kitty stays where it is.
//! 4. **Play** ([`follow`], [`play`]): eight tricks. Follow suit or trump; who cannot follow must
//!    trump, higher than the trumps in the trick. A lone trump jack may be kept twice when trump is led.
//!    The bidder may call the asked card when he leads its suit. Roem ([`roem`]) is announced with
//!    the bidder's first card and with the asked card.
//! 5. **Score** ([`score`]): rounded points, roem and bonus against the bid; fixed contracts win or
//!    lose what they are worth.

pub mod actions;
mod auction;
mod check;
mod contract;
pub mod deck;
mod follow;
mod habits;
pub mod ladder;
mod narrate;
pub mod observation;
mod play;
mod redeal;
pub mod roem;
mod round;
pub mod rules;
pub mod score;
mod scripted;
pub mod table;
#[cfg(test)]
mod tests;
mod words;

pub use round::{Round, Standing};

/// What a seat may know.
pub type View<'a> = crate::game::View<'a, Round>;
