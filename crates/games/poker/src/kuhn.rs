//! # Kuhn poker
//!
//! A reference game (H. W. Kuhn, 1950). It is small enough to be solved exactly, so learners and the solver
//! can be checked against known answers.
//!
//! 1. **Deal**: jack, queen and king. Each of the two players puts in one chip and gets a card; the third
//!    card stays hidden.
//! 2. **Betting**: one betting round. The first player checks or bets one chip. After a bet the other player
//!    calls or folds; after a check they check or bet. Raises are not allowed.
//! 3. **End**: a player who folds loses the chips they put in. Otherwise the higher card takes the pot.
//!
//! With best play the first player loses 1/18 of a chip per hand on average.

#[cfg(test)]
mod tests;

use cardsharp_engine::blocks::Block;
use cardsharp_engine::game::Schemas;
use cardsharp_engine::{AnyGame, Erased};

use crate::{CARD, FIRST, OTHER, Stakes, Variant, acts};

/// Kuhn poker as a variant of [poker](crate).
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

/// One hand of Kuhn poker.
pub type Round = crate::Round<Kuhn>;

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
