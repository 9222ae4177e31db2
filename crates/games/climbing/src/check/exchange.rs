//! Checks of the cards that players gave and received.

use cardsharp_engine::game::ensure;
use cardsharp_engine::hands::Counts;

use super::cards::{with, without};

/// The cards that one player gave and received.
pub struct Gifts<const N: usize> {
    /// Cards that the player gave.
    pub given: Counts<N>,
    /// Cards that the player received.
    pub received: Counts<N>,
}

/// The cards originally dealt to a player who now has `held` (in hand or played) and whose cards `moved`. With
/// `straight_back`, the player saw the received cards before choosing, and may have given them back.
///
/// # Errors
/// The player lacks cards that they received, or the deck does not contain the cards dealt.
pub fn dealt<const N: usize>(
    deck: &Counts<N>,
    held: &Counts<N>,
    moved: &Gifts<N>,
    straight_back: bool,
    text: impl Fn(&Counts<N>) -> String,
) -> Result<Counts<N>, String> {
    let came = with(held, &moved.given)?;
    let kept = if straight_back { &came } else { held };
    without(kept, &moved.received, "cards received must be in hand or played", &text)?;
    let dealt = without(&came, &moved.received, "cards received must be in hand or played", &text)?;
    without(deck, &dealt, "the deck does not have the cards dealt to the viewer", &text)?;
    Ok(dealt)
}

/// Checks the exchange between two `positions`. The first receives the tribute `due`, and returns cards out of
/// `at_hand`. Both must agree on the cards that have moved so far; `done` says that the return has moved, too.
///
/// # Errors
/// A message that names the contradiction.
pub fn pair<const N: usize>(
    positions: [u8; 2],
    [high, low]: [&Gifts<N>; 2],
    due: &Counts<N>,
    at_hand: &Counts<N>,
    done: bool,
    text: impl Fn(&Counts<N>) -> String,
) -> Result<(), String> {
    let [first, second] = positions;
    ensure!(
        low.given == *due && high.received == *due,
        "position {first} did not get the best cards of {second}"
    );
    without(at_hand, &high.given, "cards returned must have been at hand", text)?;
    ensure!(!done || low.received == high.given, "position {second} did not get what {first} returned");
    Ok(())
}
