//! Cards: ranks, the deck, and card notation.

use cardsharp_climbing::{self as climbing, Bounded, CardNames};
use cardsharp_engine::hands::RankCounts;

/// Rank index of the Jesters. An index `i` below it means rank `i + 1`.
pub const JESTER: usize = 12;
/// Number of ranks, the Jesters included.
pub const RANKS: usize = 13;
/// Number of cards in the full deck.
pub const DECK: usize = 80;

/// Number of cards by rank index: index `i` is rank `i + 1`, and index 12 the Jesters.
pub type Cards = RankCounts<RANKS>;
/// A rank index; the last one means the Jesters.
pub type Rank = Bounded<RANKS>;

/// The names of the ranks, by rank index.
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

/// The index into [`TITLES`] of a position's title.
#[inline]
pub fn title_index(position: u8, players: u8) -> usize {
    match position {
        0 | 1 => usize::from(position),
        p if p + 1 == players => 4,
        p if p + 2 == players => 3,
        _ => 2,
    }
}

/// The title of a position.
pub fn title(position: u8, players: u8) -> &'static str {
    TITLES[title_index(position, players)]
}

/// The names of the rank indices in card notation.
const NOTATION: [&str; RANKS] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "J"];

/// The name of a rank index in card notation: `1` to `12`, or `J`.
pub const fn rank_name(index: usize) -> &'static str {
    NOTATION[index]
}

/// The names of the ranks in views.
pub struct Names;

/// Serde functions for cards in card notation.
pub(super) type AsText = climbing::CardNotation<Names>;
/// Cards as views contain them.
pub(super) type CardsText = climbing::CardsText<Names, RANKS>;
/// A rank index as views contain it.
pub(super) type RankText = climbing::RankText<Names, RANKS>;

impl CardNames<RANKS> for Names {
    const NAMES: &'static str = "1 to 12 or J";

    fn name(rank: usize) -> &'static str {
        rank_name(rank)
    }
}

/// Writes cards in card notation, such as `1 7 7 J`.
pub fn to_text(cards: &Cards) -> String {
    climbing::to_text(cards, rank_name)
}

/// Reads cards in card notation, in any order.
///
/// # Errors
/// The word that names no card.
pub fn from_text(text: &str) -> Result<Cards, String> {
    climbing::from_text(text, rank_name, Names::NAMES)
}

/// Serde functions for a rank index as the name of a card.
pub(super) mod rank_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::RankText;

    /// Writes a name such as `7`.
    ///
    /// # Errors
    /// The errors of the serializer.
    pub fn serialize<S: Serializer>(rank: &u8, serializer: S) -> Result<S::Ok, S::Error> {
        RankText::from(*rank).serialize(serializer)
    }

    /// Reads a name such as `7`.
    ///
    /// # Errors
    /// The word names no card.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        RankText::deserialize(deserializer).map(|rank| rank.0)
    }
}

/// Serde functions for an optional rank index as the name of a card.
pub(super) mod perhaps_rank_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::RankText;

    /// Writes a name such as `7`, or null.
    ///
    /// # Errors
    /// The errors of the serializer.
    pub fn serialize<S: Serializer>(rank: &Option<u8>, serializer: S) -> Result<S::Ok, S::Error> {
        rank.map(RankText::from).serialize(serializer)
    }

    /// Reads a name such as `7`, or null.
    ///
    /// # Errors
    /// The word names no card.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
        Ok(Option::<RankText>::deserialize(deserializer)?.map(|rank| rank.0))
    }
}
