//! The position of a seat.

use std::fmt;

use cardsharp_engine::MAX_SEATS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The position of a seat, from 0; null if the seat sits this round out. Stored in one byte, because every turn reads
/// it.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Option<u8>", into = "Option<u8>")]
#[schemars(inline)]
pub struct Position(u8);

impl Position {
    /// The value for a seat that does not play.
    pub const NONE: Self = Self(u8::MAX);

    /// This position, counted from 0.
    pub(super) const fn at(position: u8) -> Self {
        Self(position)
    }

    /// The position, or `None` if the seat does not play.
    pub const fn get(self) -> Option<u8> {
        if self.0 == Self::NONE.0 { None } else { Some(self.0) }
    }

    /// The position of a seat that plays. For other seats the number is beyond every table.
    #[inline]
    pub const fn of_player(self) -> u8 {
        self.0
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::NONE
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl TryFrom<Option<u8>> for Position {
    type Error = String;

    fn try_from(position: Option<u8>) -> Result<Self, String> {
        match position {
            None => Ok(Self::NONE),
            Some(position) if usize::from(position) < MAX_SEATS => Ok(Self(position)),
            Some(other) => {
                Err(format!("{other} is no position: expected 0 to {}, or null for none", MAX_SEATS - 1))
            }
        }
    }
}

impl From<Position> for Option<u8> {
    fn from(position: Position) -> Self {
        position.get()
    }
}
