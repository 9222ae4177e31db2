//! # Kuhn poker
//!
//! A reference game: small enough to be solved exactly (H. W. Kuhn, 1950), so that learners and the
//! solver can be checked against known answers.
//!
//! 1. **Deal**: jack, queen and king. Each of the two players puts in one chip and gets a card; the
//!    third card stays hidden.
//! 2. **Betting**: one round. The first player checks or bets one chip. A bet may be called or folded
//!    to, a check answered by a check or a bet. Nobody may raise.
//! 3. **End**: who folds loses the chip put in; otherwise the higher card takes the pot.
//!
//! With best play the first player loses 1/18 of a chip a hand.

#[cfg(test)]
mod tests;

use super::poker::{self, CARD, FIRST, OTHER, Stakes, Variant, acts};
use crate::ground::blocks::Block;

/// The variant of [`poker`] that it is.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Kuhn;

impl Variant for Kuhn {
    const NAME: &'static str = "kuhn";
    const TITLE: &'static str = "Kuhn poker";
    const SUITS: u8 = 1;
    const STAKES: Stakes = Stakes { bets: &[1], raises: 1 };
    const OBSERVATION: &'static [Block] = &[CARD, FIRST, acts(&Self::STAKES)];
    const HIDDEN: &'static [Block] = &[OTHER];
}

/// One hand.
pub type Round = poker::Round<Kuhn>;
