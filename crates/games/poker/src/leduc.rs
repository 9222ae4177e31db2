//! # Leduc poker
//!
//! A reference game (Southey and others, 2005). It is small enough to be solved exactly, and large enough to
//! reward inferring the other player's card.
//!
//! 1. **Deal**: jack, queen and king of two suits. Each of the two players puts in one chip and gets a card.
//! 2. **First betting round**: bets and raises of two chips, at most two of them.
//! 3. **Board**: a card is turned up for both players.
//! 4. **Second betting round**: bets and raises of four chips, at most two. The same player acts first.
//! 5. **End**: a player who folds loses the chips they put in. Otherwise a pair with the card on the table
//!    takes the pot, then the higher card. Equal cards share the pot.
//!
//! With best play the first player loses 0.0856 chips per hand on average.

#[cfg(test)]
mod tests;

use cardsharp_engine::blocks::Block;
use cardsharp_engine::game::Schemas;
use cardsharp_engine::{AnyGame, Erased};

use crate::{CARD, COMING, FIRST, OTHER, Stakes, Variant, acts, board};

/// Leduc poker as a variant of [poker](crate).
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

/// One hand of Leduc poker.
pub type Round = crate::Round<Leduc>;

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
