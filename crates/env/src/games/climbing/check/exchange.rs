//! What must hold of cards given and received.

use super::{with, without};
use crate::game::ensure;
use crate::ground::hands::Counts;

/// Cards given and received.
pub struct Gifts<const N: usize> {
    /// Cards given.
    pub given: Counts<N>,
    /// Cards received.
    pub received: Counts<N>,
}

/// The cards a player was dealt who `held` these (in hand or played) after cards have moved. Who chose
/// with the cards received in hand may have given these `straight_back`.
///
/// # Errors
/// Cards received are missing, or the deck does not have the cards.
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

/// Checks an exchange of two `positions`, of whom the first gets what is `due` for cards `at_hand`:
/// they know of the same cards, as far as these have moved.
///
/// # Errors
/// What they disagree about.
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
