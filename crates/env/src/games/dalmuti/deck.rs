//! Cards: ranks, the deck, and hands written as text.

use super::rules::{Rules, Strip};
use crate::games::climbing;
use crate::ground::hands::Counts;

/// Rank index of the Jesters; index `i` below it is rank `i + 1`.
pub const JESTER: usize = 12;
/// Number of ranks, the Jesters included.
pub const RANKS: usize = 13;
/// Cards in the full deck.
pub const DECK: usize = 80;

/// Cards per rank: index `i` is rank `i + 1`, index 12 the Jesters.
pub type Cards = Counts<RANKS>;

/// What the players call the ranks.
pub const NAMES: [&str; RANKS] = [
    "Dalmuti",
    "Archbishop",
    "Earl Marshal",
    "Baroness",
    "Abbess",
    "Knight",
    "Seamstress",
    "Mason",
    "Cook",
    "Shepherdess",
    "Stonecutter",
    "Peasant",
    "Jester",
];

/// The titles, from the top of the table to the bottom.
pub const TITLES: [&str; 5] =
    ["Greater Dalmuti", "Lesser Dalmuti", "Merchant", "Lesser Peon", "Greater Peon"];

/// Which of [`TITLES`] goes with a position.
#[inline]
pub fn title_index(position: u8, players: u8) -> usize {
    match position {
        0 | 1 => usize::from(position),
        p if p + 1 == players => 4,
        p if p + 2 == players => 3,
        _ => 2,
    }
}

/// The title that goes with a position.
pub fn title(position: u8, players: u8) -> &'static str {
    TITLES[title_index(position, players)]
}

/// The deck in play: rank `r` has `r` copies, and there are two Jesters.
pub fn composition(rules: &Rules) -> Cards {
    let stripped = match (rules.strip, rules.players) {
        (Strip::Recommended, 4) => 1 << 11 | 1 << 12,
        (Strip::Recommended, 5) => 1 << 12,
        (Strip::None | Strip::Recommended, _) => 0,
        (Strip::Ranks(bits), _) => bits,
    };
    let mut deck = Cards::NONE;
    for rank in 1..=12 {
        if stripped >> rank & 1 == 0 {
            deck.0[rank - 1] = rank as u8;
        }
    }
    deck.0[JESTER] = 2;
    deck
}

/// The names of the rank indices in card notation.
const NOTATION: [&str; RANKS] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "J"];

/// The name of a rank index in card notation: `1` to `12`, `J`.
pub const fn rank_name(index: usize) -> &'static str {
    NOTATION[index]
}

/// Cards in card notation: `1 7 7 J`.
pub fn to_text(cards: &Cards) -> String {
    climbing::to_text(cards, rank_name)
}

/// Reads cards in card notation; any order.
///
/// # Errors
/// The word that is not a card.
pub fn from_text(text: &str) -> Result<Cards, String> {
    climbing::from_text(text, rank_name, "1 to 12 or J")
}

/// Serde for [`Cards`] as card notation.
pub mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Cards;

    /// Writes `1 7 7 J`.
    ///
    /// # Errors
    /// The serializer's own.
    pub fn serialize<S: Serializer>(cards: &Cards, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::to_text(cards))
    }

    /// Reads `1 7 7 J`.
    ///
    /// # Errors
    /// A word that is not a card.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cards, D::Error> {
        super::from_text(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
