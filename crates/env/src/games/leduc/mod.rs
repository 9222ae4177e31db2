//! # Leduc poker
//!
//! A reference game (Southey and others, 2005), small enough to be solved exactly and large enough
//! to need reading the other player.
//!
//! 1. **Deal**: jack, queen and king of two suits. Each of the two players puts in one chip and gets a
//!    card.
//! 2. **First betting round**: bets and raises of two chips, two of them at most.
//! 3. **A card is turned up** for both.
//! 4. **Second betting round**: bets and raises of four chips, two at most. The same player speaks
//!    first.
//! 5. **End**: who folds loses what he put in; otherwise a pair with the card on the table takes the
//!    pot, then the higher card. Equal cards share it.
//!
//! With best play the first player loses 0.0856 chips a hand.

#[cfg(test)]
mod tests;

use super::poker::{self, CARD, COMING, FIRST, OTHER, Stakes, Variant, acts, board};
use crate::ground::blocks::Block;

/// The variant of [`poker`] that it is.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Leduc;

impl Variant for Leduc {
    const NAME: &'static str = "leduc";
    const TITLE: &'static str = "Leduc poker";
    const SUITS: u8 = 2;
    const STAKES: Stakes = Stakes { bets: &[2, 4], raises: 2 };
    const OBSERVATION: &'static [Block] = &[CARD, FIRST, acts(&Self::STAKES), board(&Self::STAKES)];
    const HIDDEN: &'static [Block] = &[OTHER, COMING];
}

/// One hand.
pub type Round = poker::Round<Leduc>;
