//! Seats and actions by number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The largest table of any game.
pub const MAX_SEATS: usize = 12;

/// A player's identity, `0..players`, fixed for a whole session. Where the player sits or ranks in
/// a round is data of that round.
#[derive(
    Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
#[schemars(description = "A seat: the number of a player, from 0, the same for a whole session.", extend("maximum" = MAX_SEATS - 1))]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An action, as its number in the game's list of actions, from 0.
#[derive(
    Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct ActionId(pub u16);
