//! Two-player poker with a small deck, one card for each player, and fixed bets: the common part of the two
//! reference games.
//!
//! A game is a [`Variant`] with its own deck and stakes. Both players put in one chip and get a card. One of
//! them acts first in all betting rounds of the hand ([`Stakes`]). A player who faces no bet checks or bets.
//! A player who faces a bet folds, calls, or raises until the limit on raises is reached. Between two betting
//! rounds a card is turned up for both. At the end the better hand takes the pot. A pair with the card on the
//! table beats any single card, then the higher card wins; equal cards share the pot.
//!
//! Points and rewards are the chips won or lost in the hand; one chip is one unit of reward.

#![warn(missing_docs)]

mod betting;
mod cards;
mod check;
mod encoding;
mod event_log;
pub mod kuhn;
pub mod leduc;
mod round;
#[cfg(test)]
mod testing;

use std::fmt;

use cardsharp_engine::blocks::Block;

pub use betting::{Act, Stakes};
pub use cards::Card;
pub(crate) use encoding::{CARD, COMING, FIRST, OTHER, acts, board};
pub use event_log::{Deal, Event};
pub use round::{PrivateState, PublicState, Round, Rules, SessionState};

/// A game: its deck, stakes and encodings.
pub trait Variant: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The name used on the command line and in files.
    const NAME: &'static str;
    /// The name that people use.
    const TITLE: &'static str;
    /// Number of suits in the deck, 1 or 2.
    const SUITS: u8;
    /// The sizes and number of bets.
    const STAKES: Stakes;
    /// The blocks of the observation row.
    const OBSERVATION: &'static [Block];
    /// The blocks that only a critic sees in training.
    const HIDDEN: &'static [Block];
}

/// What a seat may know.
pub type View<'a, V> = cardsharp_engine::game::View<'a, Round<V>>;
