//! Moves and their 262 action ids.

use cardsharp_climbing::Set;
use cardsharp_climbing::sets;
use cardsharp_engine::ActionId;
use cardsharp_engine::blocks;

use super::deck::{JESTER, Rank};

blocks! {
    /// All actions, in blocks.
    pub ACTIONS {
        /// Sets of one numbered rank.
        PLAY: "play", 234, 1, "Play n cards of rank r with j Jesters: id 3r(r-1)/2 + 3(n-1) + j for r 1..=12, n 1..=r, j 0..=2.";
        /// Jesters alone.
        pub JESTERS: "jesters", 2, 1, "Play one or two Jesters alone, as rank 13.";
        /// Pass.
        pub PASS: "pass", 1, 1, "Pass; final for the trick only with pass_is_final.";
        /// Cards to give.
        GIVE: "give", 13, 1, "Give a card of rank 1..=12, or a Jester, in taxes or merchant exchange.";
        /// Decision of the holder of both Jesters.
        REVOLUTION: "revolution", 2, 1, "Call a revolution; decline to.";
        /// Decision of the highest Merchant.
        EXCHANGE: "exchange", 8, 1, "No exchange; exchange with position 3..=9 (counted from 0).";
        /// Decision about the exposed card.
        MISDEAL: "misdeal", 2, 1, "The exposed card stays with its receiver; it goes to the Greater Peon.";
    }
}

/// A move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Leads a set or tops the one on the table.
    Play(DeckSet),
    /// Passes. With `pass_is_final` the player is out of the trick.
    Pass,
    /// Picks a card to give in taxes or in the merchant exchange.
    Give(Rank),
    /// Calls a revolution, as the holder of both Jesters.
    CallRevolution,
    /// Calls no revolution, as the holder of both Jesters.
    DeclineRevolution,
    /// Exchanges no card, as the highest Merchant.
    NoExchange,
    /// Exchanges a card with another Merchant, as the highest Merchant.
    Exchange(Merchant),
    /// The exposed card stays with its receiver.
    KeepMisdeal,
    /// The exposed card goes to the Greater Peon.
    MisdealToPeon,
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
        if let Some(index) = GIVE.index(action) {
            return match Rank::new(index) {
                Some(rank) => Some(Self::Give(rank)),
                None => None,
            };
        }
        if let Some(choice) = EXCHANGE.index(action) {
            return Some(match choice {
                0 => Self::NoExchange,
                _ => Self::Exchange(Merchant(Merchant::NEXT.0 + choice as u8 - 1)),
            });
        }
        match (REVOLUTION.index(action), MISDEAL.index(action)) {
            (Some(0), _) => Some(Self::CallRevolution),
            (Some(_), _) => Some(Self::DeclineRevolution),
            (_, Some(0)) => Some(Self::KeepMisdeal),
            (_, Some(_)) => Some(Self::MisdealToPeon),
            (None, None) => None,
        }
    }

    /// The id of this move.
    pub const fn id(self) -> ActionId {
        match self {
            Self::Play(DeckSet(Set { naturals: 0, wilds, .. })) => JESTERS.nth(wilds as usize - 1),
            Self::Play(DeckSet(Set { rank, naturals, wilds })) => {
                PLAY.nth(first_id(rank as usize) + sets::bit(naturals, wilds))
            }
            Self::Pass => PASS.nth(0),
            Self::Give(rank) => GIVE.nth(rank.get()),
            Self::CallRevolution => REVOLUTION.nth(0),
            Self::DeclineRevolution => REVOLUTION.nth(1),
            Self::NoExchange => EXCHANGE.nth(0),
            Self::Exchange(Merchant(position)) => EXCHANGE.nth(1 + (position - Merchant::NEXT.0) as usize),
            Self::KeepMisdeal => MISDEAL.nth(0),
            Self::MisdealToPeon => MISDEAL.nth(1),
        }
    }
}

/// A set that the full deck can form: cards of a numbered rank with up to two Jesters, or only Jesters.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DeckSet(Set);

impl DeckSet {
    /// The set, or `None` if the deck cannot form it.
    pub const fn new(set: Set) -> Option<Self> {
        let Set { rank, naturals, wilds } = set;
        let has_cards = match rank as usize {
            JESTER => naturals == 0 && wilds > 0,
            rank => rank < JESTER && 0 < naturals && naturals as usize <= rank + 1,
        };
        if has_cards && wilds as usize <= sets::MAX_WILDS { Some(Self(set)) } else { None }
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

/// The position of a Merchant below the highest one: 3 to 9 at a table of twelve.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Merchant(u8);

impl Merchant {
    /// The Merchant after the highest.
    pub const NEXT: Self = Self(3);
    /// The lowest Merchant at a full table.
    const LAST: Self = Self(9);

    /// All Merchants below the highest one at a table of `players`.
    pub(super) fn all(players: u8) -> impl Iterator<Item = Self> {
        (Self::NEXT.0..=Self::LAST.0).take_while(move |position| position + 3 <= players).map(Self)
    }

    /// The Merchant's position.
    pub const fn position(self) -> u8 {
        self.0
    }
}

/// The first id of the sets of a rank index.
pub const fn first_id(rank: usize) -> usize {
    3 * (rank + 1) * rank / 2
}

/// The set of each action id.
static SET_OF: [Set; PASS.offset] = {
    let mut list = [Set { rank: JESTER as u8, naturals: 0, wilds: 1 }; PASS.offset];
    let mut rank = 0;
    while rank < JESTER {
        let mut bit = 0;
        while bit < 3 * (rank + 1) {
            let (naturals, wilds) = sets::of_bit(bit);
            list[first_id(rank) + bit] = Set { rank: rank as u8, naturals, wilds };
            bit += 1;
        }
        rank += 1;
    }
    list[JESTERS.offset + 1].wilds = 2;
    list
};

/// The set that an action plays; `None` for other actions.
#[inline]
const fn set(action: ActionId) -> Option<Set> {
    let id = action.0 as usize;
    if id < SET_OF.len() { Some(SET_OF[id]) } else { None }
}
