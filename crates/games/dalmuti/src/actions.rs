//! Moves and their 262 action ids, their labels and legality, and their categories.

use std::fmt;

use cardsharp_climbing::habits::{KINDS, of_play};
use cardsharp_climbing::{Set, sets};
use cardsharp_engine::blocks::Block;
use cardsharp_engine::game::{Actions, Habits};
use cardsharp_engine::mask::{Words, bits};
use cardsharp_engine::{ActionId, blocks};

use super::deck::{JESTER, RANKS, Rank, rank_name};
use super::state::{Ask, PublicState, Round, Stage, View};

blocks! {
    /// All actions, in blocks.
    pub ACTIONS {
        /// Sets of one numbered rank.
        PLAY: "play", 234, 1, "Play n cards of rank r with j Jesters: id 3r(r-1)/2 + 3(n-1) + j for r 1..=12, n 1..=r, j 0..=2.";
        /// Playing only Jesters.
        pub JESTERS: "jesters", 2, 1, "Play one or two Jesters alone, as rank 13.";
        pub PASS: "pass", 1, 1, "Pass; final for the trick only with pass_is_final.";
        GIVE: "give", 13, 1, "Give a card of rank 1..=12, or a Jester, in taxes or merchant exchange.";
        /// Decision of the holder of both Jesters.
        REVOLUTION: "revolution", 2, 1, "Call a revolution; decline to.";
        /// Decision of the highest Merchant.
        EXCHANGE: "exchange", 8, 1, "No exchange; exchange with position 3..=9 (counted from 0).";
        /// Decision about the exposed card.
        MISDEAL: "misdeal", 2, 1, "The exposed card stays with its receiver; it goes to the Greater Peon.";
    }
}

/// What a player does at a decision.
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

    /// Returns the position of the Merchant.
    pub const fn position(self) -> u8 {
        self.0
    }
}

/// The first id of the sets of a rank index.
const fn first_id(rank: usize) -> usize {
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
pub(super) const fn set(action: ActionId) -> Option<Set> {
    let id = action.0 as usize;
    if id < SET_OF.len() { Some(SET_OF[id]) } else { None }
}

// Labels and legality of the moves.

/// One bit for each numbered rank.
const NATURALS: u32 = (1 << JESTER) - 1;

/// The set of legal actions.
pub type Legal = Words<5>;

impl Actions for Round {
    const ACTIONS: &'static [Block] = ACTIONS;
    type Legal = Legal;

    #[inline(always)]
    fn legal(view: View<'_>) -> Legal {
        if view.table.stage == Stage::Play { legal_play(view) } else { legal_before_play(view) }
    }

    fn is_legal(view: View<'_>, action: ActionId) -> bool {
        let Some(chosen) = Move::of(action) else { return false };
        let (table, own) = (view.table, view.own);
        let asked = |ask| table.stage != Stage::Play && own.ask == ask;
        let acts = table.stage == Stage::Play
            && table.order[usize::from(table.trick.turn)] == view.seat
            && table.trick.still_in.len() > 1;
        match chosen {
            Move::Play(set) => {
                let set = set.set();
                let held = |rank: usize, n: u8| own.hand.0[rank] >= n;
                let has_cards = held(JESTER, set.wilds)
                    && (set.naturals == 0 || held(usize::from(set.rank), set.naturals));
                acts && has_cards && table.trick.accepts::<RANKS>(set, table.trick_rules())
            }
            Move::Pass => acts && table.trick.size > 0,
            Move::Give(rank) => {
                let is_left = own.hand.0[rank.get()] > own.given.0[rank.get()];
                (asked(Ask::Tax) || asked(Ask::Exchange)) && is_left
            }
            Move::CallRevolution | Move::DeclineRevolution => asked(Ask::Revolution),
            Move::NoExchange => asked(Ask::Offer),
            Move::Exchange(with) => asked(Ask::Offer) && with.position() + 3 <= table.players(),
            Move::KeepMisdeal | Move::MisdealToPeon => asked(Ask::Misdeal),
        }
    }

    fn is_public(action: ActionId) -> bool {
        match Move::of(action) {
            Some(Move::Give(_) | Move::DeclineRevolution) => false,
            Some(
                Move::Play(_)
                | Move::Pass
                | Move::CallRevolution
                | Move::NoExchange
                | Move::Exchange(_)
                | Move::KeepMisdeal
                | Move::MisdealToPeon,
            )
            | None => true,
        }
    }

    fn phase(&self) -> &'static str {
        match (self.table.stage, self.own[usize::from(self.asking)].ask) {
            (Stage::Play, _) => "play",
            (_, Ask::Misdeal) => "misdeal",
            (_, Ask::Revolution) => "revolution",
            (_, Ask::Tax) => "tax",
            (_, Ask::Offer) => "exchange offer",
            (_, Ask::Exchange) => "exchange",
            (_, Ask::Nothing) => "none",
        }
    }

    fn label(_: Option<&PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Move::of(action) {
            Some(Move::Play(set)) => set_label(set.set(), f),
            Some(Move::Pass) => f.write_str("pass"),
            Some(Move::Give(rank)) => write!(f, "give {}", rank_name(rank.get())),
            Some(Move::CallRevolution) => f.write_str("call revolution"),
            Some(Move::DeclineRevolution) => f.write_str("decline revolution"),
            Some(Move::NoExchange) => f.write_str("no exchange"),
            Some(Move::Exchange(with)) => write!(f, "exchange with position {}", with.position()),
            Some(Move::KeepMisdeal) => f.write_str("keep misdeal"),
            Some(Move::MisdealToPeon) => f.write_str("misdeal to peon"),
            None => write!(f, "action {}", action.0),
        }
    }
}

/// Writes a set as players type it: `8x2`, `8+J`.
pub(super) fn set_label(set: Set, f: &mut impl fmt::Write) -> fmt::Result {
    set.write(rank_name(usize::from(set.rank)), "JJ", f)
}

#[inline(always)]
fn legal_play(view: View<'_>) -> Legal {
    let mut legal = Legal::EMPTY;
    let trick = &view.table.trick;
    if view.table.position[view.seat.index()] != trick.turn || trick.is_over() {
        return legal;
    }
    let hand = &view.own.hand.0;
    let jesters = hand[JESTER].min(2);
    if trick.size == 0 {
        let leads = sets::leads(jesters);
        for rank in bits(sets::holding(&view.own.hand, 1) & NATURALS) {
            legal.insert_run(first_id(rank), leads[usize::from(hand[rank])]);
        }
        legal.insert_run(JESTERS.offset, (1 << jesters) - 1);
    } else {
        let equals = view.table.trick_rules().equals();
        let better = ((1 << (JESTER - usize::from(trick.strength) + equals)) - 1) & NATURALS;
        if equals != 0 && trick.strength == 0 && trick.size <= jesters {
            legal.insert(JESTERS.offset + usize::from(trick.size) - 1);
        }
        if jesters == 0 {
            // Each rank has only one set of this size, so a single bit is enough.
            let set = sets::bit(trick.size, 0);
            for rank in bits(sets::holding(&view.own.hand, trick.size) & better) {
                legal.insert(first_id(rank) + set);
            }
        } else {
            let fits = sets::of_size(trick.size, jesters);
            // A set needs at least this many cards of the rank.
            let least = trick.size.saturating_sub(jesters).max(1);
            for rank in bits(sets::holding(&view.own.hand, least) & better) {
                legal.insert_run(first_id(rank), fits[usize::from(hand[rank])]);
            }
        }
    }
    // A leader must play.
    if trick.size != 0 {
        legal.insert(PASS.offset);
    }
    legal
}

#[cold]
fn legal_before_play(view: View<'_>) -> Legal {
    let mut legal = Legal::EMPTY;
    let mut allow = |chosen: Move| legal.insert(usize::from(chosen.id().0));
    match view.own.ask {
        Ask::Nothing => {}
        Ask::Misdeal => [Move::KeepMisdeal, Move::MisdealToPeon].into_iter().for_each(allow),
        Ask::Revolution => [Move::CallRevolution, Move::DeclineRevolution].into_iter().for_each(allow),
        Ask::Offer => {
            allow(Move::NoExchange);
            Merchant::all(view.table.players()).map(Move::Exchange).for_each(allow);
        }
        Ask::Tax | Ask::Exchange => {
            let (hand, given) = (&view.own.hand.0, &view.own.given.0);
            let left = Rank::all().filter(|rank| hand[rank.get()] > given[rank.get()]);
            left.map(Move::Give).for_each(allow);
        }
    }
    legal
}

// Categories of moves, as evidence of how a player plays.

/// Names of the categories. Those of [`of_play`] come first.
pub const HABITS: [&str; KINDS + 7] = [
    "pass, though able to play",
    "lead",
    "lead a single card",
    "follow",
    "play a Jester",
    "split a rank",
    "call a revolution",
    "decline a revolution",
    "exchange as a Merchant",
    "decline to exchange",
    "give a Jester",
    "keep an exposed card where it fell",
    "send an exposed card to the Peon",
];

impl Habits for Round {
    const HABITS: &'static [&'static str] = &HABITS;

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        let play = |set| of_play(&view.own.hand, view.table.trick.size == 0, set);
        // The categories of this game follow those of plays.
        let own = |kind: u32| 1 << (KINDS as u32 + kind);
        match Move::of(action) {
            Some(Move::Play(set)) => play(Some(set.set())),
            Some(Move::Pass) => play(None),
            Some(Move::CallRevolution) => own(0),
            Some(Move::DeclineRevolution) => own(1),
            Some(Move::Exchange(_)) => own(2),
            Some(Move::NoExchange) => own(3),
            Some(Move::Give(Rank::LAST)) => own(4),
            Some(Move::KeepMisdeal) => own(5),
            Some(Move::MisdealToPeon) => own(6),
            Some(Move::Give(_)) | None => 0,
        }
    }
}
