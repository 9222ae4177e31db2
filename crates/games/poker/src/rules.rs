//! The rules options: only the length of a session.

use cardsharp_engine::options;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::{OptionDoc, RulesError};

/// Number of seats.
pub const SEATS: usize = 2;

options! {
    /// The rules of a session.
    Rules {
        /// Number of players.
        players: u8 = SEATS as u8, whole(2..=2);
        /// Hands in a session. Seat 0 acts first in the first hand; then the seats alternate.
        hands: u16 = 2, whole(1..=1000), drawn(|draw| 1 + draw.below(6) as u16);
    }
}

impl cardsharp_engine::rules::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = Self::OPTIONS;
    const ROUNDS_OPTION: &'static str = "hands";

    fn check(&self) -> Result<(), RulesError> {
        self.in_range()
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn rounds(&self) -> u32 {
        u32::from(self.hands)
    }

    fn random(draw: &mut Draw) -> Self {
        Self::drawn(draw)
    }
}
