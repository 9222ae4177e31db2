//! Cards: ranks, decks, names, and card notation.

use cardsharp_climbing::{self as climbing, Bounded, CardNames};
use cardsharp_engine::hands::RankCounts;

use super::rules::{DeucesSpecial, Rules, Trim};
use super::variant::{Deck, Jokers, Variant};

/// Number of natural ranks of all decks together. Rank index 0 is the highest: the ace, or the two with deuces high.
/// Index 17 is the lowest.
pub const NATURALS: usize = 18;
/// Rank index of the jokers.
pub const JOKER: usize = NATURALS;
/// Number of ranks, the jokers included.
pub const RANKS: usize = NATURALS + 1;
/// Largest number of natural cards of one rank in any deck.
pub const COPIES: usize = 8;
/// Number of cards in the largest deck: eight suits and two jokers, not trimmed.
pub const LARGEST: usize = 106;

/// Number of cards by rank index, the jokers last.
pub type Cards = RankCounts<RANKS>;
/// A rank index; the last one means the jokers.
pub type Rank = Bounded<RANKS>;

/// The slot of a natural rank index in encodings: slot 0 is the lowest rank, 17 the highest.
pub const fn slot(rank: usize) -> usize {
    NATURALS - 1 - rank
}

/// Names of the slots with aces high. Views use them for all cards.
const SLOTS: [&str; NATURALS] =
    ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "J", "Q", "K", "A"];
/// The name of a joker in card notation.
const JOKER_NAME: &str = "*";

/// Number of cards by slot in the special deck, for 5, 6, 7 and 8 players.
const SPECIAL: [[u8; NATURALS]; 4] = [
    [4, 4, 4, 5, 4, 5, 4, 5, 4, 5, 4, 0, 0, 0, 5, 4, 4, 4],
    [4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0, 0, 5, 5, 5, 4],
    [5, 5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 0, 5, 6, 5, 4],
    [5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5, 4],
];

/// The ranks of a deck and their names.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// One bit for each rank index in the deck, including trimmed ranks, but not the jokers.
    pub used: u32,
    /// Whether twos are the highest rank.
    pub deuces_high: bool,
}

impl Ladder {
    /// All ranks of all decks with aces high: the notation of encodings and views.
    pub const ALL: Self = Self { used: (1 << NATURALS) - 1, deuces_high: false };

    /// The ladder of a deck.
    pub fn of(variant: &Variant, players: u8) -> Self {
        let slots = counts(deck(variant, players), players);
        let mut used = 0;
        for rank in 0..NATURALS {
            used |= u32::from(slots[slot(rank)] != 0) << rank;
        }
        Self { used, deuces_high: variant.deuces_high }
    }

    /// Whether the deck has this rank index.
    #[inline]
    pub const fn has(self, rank: usize) -> bool {
        self.used >> rank & 1 == 1
    }

    /// The name of a rank index. A rank outside the deck has a name that no other rank has.
    pub fn name(self, rank: usize) -> &'static str {
        if rank >= JOKER {
            return JOKER_NAME;
        }
        if !self.deuces_high {
            return SLOTS[slot(rank)];
        }
        // With deuces high, each rank in use has the name of the next higher one, and the highest is called 2.
        let better = self.used & ((1 << rank) - 1);
        match (self.has(rank), better) {
            (false, _) => UNUSED[slot(rank)],
            (true, 0) => SLOTS[0],
            (true, better) => SLOTS[slot(31 - better.leading_zeros() as usize)],
        }
    }

    /// Reads cards by their names in this deck, in any order.
    ///
    /// # Errors
    /// The word that names no card.
    pub fn read(self, text: &str) -> Result<Cards, String> {
        climbing::from_text(text, |rank| self.name(rank), "a rank of this deck or *")
    }
}

/// Names of slots that are not in the deck in play.
const UNUSED: [&str; NATURALS] = [
    "no 2", "no 3", "no 4", "no 5", "no 6", "no 7", "no 8", "no 9", "no 10", "no 11", "no 12", "no 13",
    "no 14", "no 15", "no J", "no Q", "no K", "no A",
];

/// The kind of deck in play: with up to four players always the standard deck.
fn deck(variant: &Variant, players: u8) -> Deck {
    if players <= 4 { Deck::Standard } else { variant.deck }
}

/// Number of cards by slot, before `deuces_special` and `trim` apply.
fn counts(deck: Deck, players: u8) -> [u8; NATURALS] {
    let copies = match deck {
        Deck::Standard => 4,
        Deck::ExtraSuits => players,
        Deck::Special => return SPECIAL[usize::from(players - 5)],
    };
    let mut counts = [copies; NATURALS];
    counts[9..14].fill(0);
    counts
}

/// The deck in play.
pub fn composition(rules: &Rules, variant: &Variant, players: u8) -> Cards {
    let mut slots = counts(deck(variant, players), players);
    if variant.deuces_high && rules.deuces_special == DeucesSpecial::Literal {
        // The twos move to the top, and every other rank one place down.
        let twos = slots[0];
        let mut place = 0;
        for next in 1..NATURALS {
            if slots[next] != 0 {
                slots[place] = slots[next];
                place = next;
            }
        }
        slots[place] = twos;
    }
    let mut cards = Cards::NONE;
    for (rank, n) in cards.0[..NATURALS].iter_mut().enumerate() {
        *n = slots[slot(rank)];
    }
    cards.0[JOKER] = if variant.jokers == Jokers::None { 0 } else { 2 };
    if rules.trim == Trim::Auto {
        let over = cards.total() % u32::from(players);
        trim(&mut cards, over as u8);
    }
    cards
}

/// Removes `over` cards: first all cards of the middle rank, then in turn one of the next lower rank and one of the
/// next higher rank.
fn trim(cards: &mut Cards, over: u8) {
    // Rank indices in the deck, starting with the lowest rank.
    let (mut ranks, mut used) = ([0; NATURALS], 0);
    for rank in (0..NATURALS).rev() {
        ranks[used] = rank;
        used += usize::from(cards.0[rank] != 0);
    }
    let place = (used - 1) / 2;
    let (below, middle, above) = (ranks[place - 1], ranks[place], ranks[place + 1]);
    let from_middle = over.min(cards.0[middle]);
    cards.0[middle] -= from_middle;
    let rest = over - from_middle;
    cards.0[below] -= rest.div_ceil(2);
    cards.0[above] -= rest / 2;
}

/// The names of the ranks in views.
pub struct Names;

/// Serde functions for cards in card notation.
pub(super) type AsText = climbing::CardNotation<Names>;
/// Cards as views contain them.
pub(super) type CardsText = climbing::CardsText<Names, RANKS>;

impl CardNames<RANKS> for Names {
    const NAMES: &'static str = "2 to 15, J, Q, K, A or *";

    fn name(rank: usize) -> &'static str {
        Ladder::ALL.name(rank)
    }
}

/// Writes cards in the notation of views: names with aces high, and `*` for jokers.
pub fn to_text(cards: &Cards) -> String {
    named(cards, Ladder::ALL)
}

/// Writes cards by their names in this deck, best first.
pub fn named(cards: &Cards, ladder: Ladder) -> String {
    climbing::to_text(cards, |rank| ladder.name(rank))
}

/// Reads cards in the notation of views, in any order.
///
/// # Errors
/// The word that names no card.
pub fn from_text(text: &str) -> Result<Cards, String> {
    climbing::from_text(text, Names::name, Names::NAMES)
}
