//! Moves and their 509 action ids.

use cardsharp_climbing::sets::MAX_WILDS;
use cardsharp_climbing::{Below, Set};
use cardsharp_engine::ActionId;
use cardsharp_engine::blocks;

use super::deck::{COPIES, JOKER, NATURALS, RANKS, Rank, slot};
use super::variant::MENU;

/// Number of ids for the sets of one rank: two for jokers alone, and three for each number of natural cards.
pub const SETS_OF_RANK: usize = 2 + 3 * COPIES;

blocks! {
    /// All actions, in blocks.
    pub ACTIONS {
        /// Sets of one rank.
        PLAY: "play",
            NATURALS * SETS_OF_RANK,
            1,
            "Play n cards and j jokers as rank slot s: id 26s + 3n + j - 1 for s 0..=17 (0 is the lowest rank, 17 \
                the highest), n 0..=8, j 0..=2, not both 0. n = 0 needs wild jokers.";
        /// Low jokers alone.
        pub JOKERS: "jokers", MAX_WILDS, 1, "Play one or two jokers alone, as the lowest rank of all.";
        /// Pass.
        pub PASS: "pass", 1, 1, "Pass; final for the trick only with pass_is_final.";
        /// Cards to give back for a tribute.
        GIVE: "give", RANKS, 1, "Give back a card of slot 0..=17, or a joker, for the taxes received.";
        /// Numbers of jokers to pay.
        TAX_JOKERS: "tax_jokers", MAX_WILDS + 1, 1, "Pay 0, 1 or 2 jokers among the taxes.";
        /// Entries of the decree menu.
        DECREE: "decree", MENU, 1, "Decree entry 0..=15 of the menu.";
    }
}

/// A move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Leads a set or tops the one on the table.
    Play(DeckSet),
    /// Passes. With `pass_is_final` the player is out of the trick.
    Pass,
    /// Picks a card to give back for the taxes received.
    Give(Rank),
    /// Decides how many jokers to pay in the taxes.
    PayJokers(Below<{ MAX_WILDS + 1 }>),
    /// The Tahimi decrees an entry of the menu.
    Decree(Below<MENU>),
}

impl Move {
    /// The move with this id.
    #[inline]
    pub const fn of(action: ActionId) -> Option<Self> {
        if let Some(set) = set(action) {
            return Some(Self::Play(DeckSet(set)));
        }
        if PASS.index(action).is_some() {
            return Some(Self::Pass);
        }
        if let Some(place) = GIVE.index(action)
            && let Some(rank) = Rank::new(given(place))
        {
            return Some(Self::Give(rank));
        }
        if let Some(jokers) = TAX_JOKERS.index(action)
            && let Some(jokers) = Below::new(jokers)
        {
            return Some(Self::PayJokers(jokers));
        }
        if let Some(entry) = DECREE.index(action)
            && let Some(entry) = Below::new(entry)
        {
            return Some(Self::Decree(entry));
        }
        None
    }

    /// The id of this move.
    pub const fn id(self) -> ActionId {
        match self {
            Self::Play(DeckSet(Set { rank, naturals, wilds })) => match rank as usize {
                JOKER => JOKERS.nth(wilds as usize - 1),
                rank => PLAY.nth(first_id(rank) + 3 * naturals as usize + wilds as usize - 1),
            },
            Self::Pass => PASS.nth(0),
            Self::Give(rank) => GIVE.nth(given(rank.get())),
            Self::PayJokers(jokers) => TAX_JOKERS.nth(jokers.get()),
            Self::Decree(entry) => DECREE.nth(entry.get()),
        }
    }
}

/// A set that some deck can form: natural cards of a rank with up to two jokers, or only jokers. Only jokers have
/// either a natural rank or the lowest rank.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DeckSet(Set);

impl DeckSet {
    /// The set, or `None` if no deck can form it.
    pub const fn new(set: Set) -> Option<Self> {
        let Set { rank, naturals, wilds } = set;
        let most = match rank as usize {
            JOKER => 0,
            rank if rank < JOKER => COPIES,
            _ => return None,
        };
        let fits = naturals as usize <= most && wilds as usize <= MAX_WILDS;
        if fits && set.size() > 0 { Some(Self(set)) } else { None }
    }

    /// Wraps a set of cards in a player's hand, so that the deck can form it.
    pub(super) fn held(set: Set) -> Self {
        debug_assert!(Self::new(set).is_some(), "{set:?} of this deck");
        Self(set)
    }

    /// The set as rank index and numbers of cards.
    #[inline]
    pub const fn set(self) -> Set {
        self.0
    }
}

/// Converts a rank index to its index among the cards to give, and back. Natural ranks are in ascending order there,
/// and the joker is last in both.
const fn given(rank_or_place: usize) -> usize {
    if rank_or_place == JOKER { JOKER } else { slot(rank_or_place) }
}

/// The first id of the sets of a rank index.
pub const fn first_id(rank: usize) -> usize {
    SETS_OF_RANK * slot(rank)
}

/// The set of each action id.
static SET_OF: [Set; PASS.offset] = {
    let mut list = [Set { rank: JOKER as u8, naturals: 0, wilds: 1 }; PASS.offset];
    let mut id = 0;
    while id < PLAY.len {
        let (slot, set) = (id / SETS_OF_RANK, id % SETS_OF_RANK + 1);
        list[id] =
            Set { rank: (NATURALS - 1 - slot) as u8, naturals: (set / 3) as u8, wilds: (set % 3) as u8 };
        id += 1;
    }
    list[JOKERS.offset + 1].wilds = 2;
    list
};

/// The set that an action plays; `None` for other actions.
#[inline]
const fn set(action: ActionId) -> Option<Set> {
    let id = action.0 as usize;
    if id < SET_OF.len() { Some(SET_OF[id]) } else { None }
}
