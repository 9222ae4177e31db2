//! What the two reference games share: poker for two with a deck of a few cards, one card each and
//! fixed bets.
//!
//! A game is a [`Variant`]: its deck and its stakes. Both players put in one chip and get a card. In
//! each betting round ([`Stakes`]) the player who is first that hand speaks first; whoever faces no
//! bet checks or bets, whoever faces one folds, calls, or raises while raises are left. Between two
//! betting rounds a card is turned up for both. At the end the better cards take the pot: a pair with
//! the card on the table before any card alone, then the higher card; equal cards share it.
//!
//! Points and rewards are the chips won or lost in the hand, one chip to one unit of reward.

mod betting;
mod cards;
mod check;
mod encoding;
mod lines;
mod narrate;
mod record;
mod redeal;
mod round;
mod rules;
mod scripted;
mod table;
#[cfg(test)]
pub(crate) mod testing;
mod words;

use std::fmt;

use crate::ground::blocks::Block;

pub use betting::{Act, Stakes};
pub use cards::Card;
pub(super) use encoding::{CARD, COMING, FIRST, OTHER, acts, board};
pub use lines::{Deal, Event};
pub use round::{Round, Standing};
pub use rules::Rules;
pub use table::{Own, Table};

/// One of the games: its deck, its stakes and its encodings.
pub trait Variant: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The name used on the command line and in files.
    const NAME: &'static str;
    /// The name people use.
    const TITLE: &'static str;
    /// Suits of the deck, 1 or 2.
    const SUITS: u8;
    /// The betting rounds.
    const STAKES: Stakes;
    /// The cells of an observation row.
    const OBSERVATION: &'static [Block];
    /// The cells that only a critic sees.
    const HIDDEN: &'static [Block];
}

/// What a seat may know.
pub type View<'a, V> = crate::game::View<'a, Round<V>>;
