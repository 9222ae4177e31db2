//! Options: only the length of a session.

use serde::{Deserialize, Serialize};

use super::table::SEATS;
use crate::ground::rng::Draw;
use crate::ground::rules::{OptionDoc, RulesError};

/// Players at a table.
const PLAYERS: u8 = SEATS as u8;
/// Hands in a session, at most.
const MOST: u16 = 1000;

const PLAYERS_DOC: OptionDoc = OptionDoc { name: "players", values: "2", meaning: "Number of players." };
const HANDS_DOC: OptionDoc = OptionDoc {
    name: "hands",
    values: "a whole number, 1 to 1000 (default 2)",
    meaning: "Hands in a session. Seat 0 speaks first in the first hand, then they take turns.",
};

/// The rules of a session.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Number of players: 2.
    pub players: u8,
    /// Hands in a session, 1 to 1000.
    pub hands: u16,
}

impl Default for Rules {
    fn default() -> Self {
        Self { players: PLAYERS, hands: 2 }
    }
}

impl crate::ground::rules::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = &[PLAYERS_DOC, HANDS_DOC];
    const PLAYERS: std::ops::RangeInclusive<u8> = PLAYERS..=PLAYERS;
    const ROUNDS_OPTION: &'static str = "hands";

    fn check(&self) -> Result<(), RulesError> {
        match *self {
            Self { players, .. } if players != PLAYERS => Err(Self::refused("players", players)),
            Self { hands, .. } if !(1..=MOST).contains(&hands) => Err(Self::refused("hands", hands)),
            _ => Ok(()),
        }
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn rounds(&self) -> u32 {
        u32::from(self.hands)
    }

    fn random(draw: &mut Draw) -> Self {
        Self { players: PLAYERS, hands: 1 + draw.below(6) as u16 }
    }
}
