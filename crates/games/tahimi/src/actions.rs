//! Moves, their 509 action ids, and their labels, legality and kinds.

use std::fmt;

use cardsharp_climbing::habits::{KINDS, of_play};
use cardsharp_climbing::sets::MAX_WILDS;
use cardsharp_climbing::{Bounded, Set, sets};
use cardsharp_engine::blocks::Block;
use cardsharp_engine::game::{Actions, Habits};
use cardsharp_engine::mask::{Mask as _, Words, bits};
use cardsharp_engine::{ActionId, blocks};

use super::deck::{COPIES, JOKER, Ladder, NATURALS, RANKS, Rank, slot};
use super::rules::Decree;
use super::state::{Ask, PublicState, Round, Stage, View};
use super::variant::{Jokers, MENU};

/// Number of ids for the sets of one rank: two for jokers alone, and three for each number of natural cards.
const SETS_OF_RANK: usize = 2 + 3 * COPIES;

blocks! {
    /// All actions, in blocks.
    pub ACTIONS {
        /// Sets of one rank.
        PLAY: "play",
            NATURALS * SETS_OF_RANK,
            1,
            "Play n cards and j jokers as rank slot s: id 26s + 3n + j - 1 for s 0..=17 (0 is the lowest rank, 17 \
                the highest), n 0..=8, j 0..=2, not both 0. n = 0 needs wild jokers.";
        /// Playing only low jokers.
        pub JOKERS: "jokers", MAX_WILDS, 1, "Play one or two jokers alone, as the lowest rank of all.";
        pub PASS: "pass", 1, 1, "Pass; final for the trick only with pass_is_final.";
        /// Cards to give back for a tribute.
        GIVE: "give", RANKS, 1, "Give back a card of slot 0..=17, or a joker, for the taxes received.";
        /// Numbers of jokers to pay.
        TAX_JOKERS: "tax_jokers", MAX_WILDS + 1, 1, "Pay 0, 1 or 2 jokers among the taxes.";
        /// Entries of the decree menu.
        DECREE: "decree", MENU, 1, "Decree entry 0..=15 of the menu.";
    }
}

/// What a player does at a decision.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Leads a set or tops the one on the table.
    Play(DeckSet),
    /// Passes. With `pass_is_final` the player is out of the trick.
    Pass,
    /// Picks a card to give back for the taxes received.
    Give(Rank),
    /// Decides how many jokers to pay in the taxes.
    PayJokers(Bounded<{ MAX_WILDS + 1 }>),
    /// The Tahimi decrees an entry of the menu.
    Decree(Bounded<MENU>),
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
            && let Some(jokers) = Bounded::new(jokers)
        {
            return Some(Self::PayJokers(jokers));
        }
        if let Some(entry) = DECREE.index(action)
            && let Some(entry) = Bounded::new(entry)
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
pub(super) const fn set(action: ActionId) -> Option<Set> {
    let id = action.0 as usize;
    if id < SET_OF.len() { Some(SET_OF[id]) } else { None }
}

/// One bit for each natural rank index.
const ALL: u32 = (1 << NATURALS) - 1;

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
        let trick = &table.trick;
        let asked = |ask| table.stage != Stage::Play && own.ask == ask;
        let acts = table.stage == Stage::Play
            && table.order[usize::from(trick.turn)] == view.seat
            && trick.still_in.len() > 1;
        match chosen {
            Move::Play(set) => {
                let set = set.set();
                let rank = usize::from(set.rank);
                let has_cards = own.hand.0[JOKER] >= set.wilds && own.hand.0[rank] >= set.naturals;
                // Jokers alone: low jokers have no natural rank, wild jokers have any rank that the deck has.
                let is_set = match (rank, set.naturals) {
                    (JOKER, _) => table.variant.jokers == Jokers::Low,
                    (_, 0) => table.variant.jokers == Jokers::Wild && table.ladder().has(rank),
                    _ => true,
                };
                acts && has_cards && is_set && trick.accepts::<RANKS>(set, table.trick_rules())
            }
            Move::Pass => {
                // A leader may not pass if all others have passed.
                let others_passed = u32::from(trick.passed.len() + 1 == trick.still_in.len());
                acts && (trick.size > 0 || table.rules.pass_on_lead && others_passed == 0)
            }
            Move::Give(rank) => asked(Ask::Return) && own.hand.0[rank.get()] > own.given.0[rank.get()],
            Move::PayJokers(jokers) => {
                let due = own.partner.map_or(0, |high| {
                    match (high, table.variant.is_progressive(), table.players) {
                        (0, true, 6..) => 3,
                        (0, ..) | (1, true, 7..) => 2,
                        _ => 1,
                    }
                });
                let held = usize::from(own.hand.0[JOKER]);
                asked(Ask::TaxJokers) && jokers.get() <= due && jokers.get() <= held
            }
            Move::Decree(entry) => match &table.rules.decree {
                Decree::Off => false,
                Decree::Menu(menu) => asked(Ask::Decree) && entry.get() < menu.as_slice().len(),
            },
        }
    }

    fn is_public(action: ActionId) -> bool {
        match Move::of(action) {
            Some(Move::Give(_) | Move::PayJokers(_)) => false,
            Some(Move::Play(_) | Move::Pass | Move::Decree(_)) | None => true,
        }
    }

    fn phase(&self) -> &'static str {
        match (self.table.stage, self.own[usize::from(self.asking)].ask) {
            (Stage::Play, _) => "play",
            (_, Ask::Decree) => "decree",
            (_, Ask::TaxJokers) => "tax jokers",
            (_, Ask::Return) => "tax",
            (_, Ask::Nothing) => "none",
        }
    }

    fn label(table: Option<&PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ladder = table.map_or(Ladder::ALL, PublicState::ladder);
        match Move::of(action) {
            Some(Move::Play(set)) => set_label(ladder, set.set(), f),
            Some(Move::Pass) => f.write_str("pass"),
            Some(Move::Give(rank)) => write!(f, "give {}", ladder.name(rank.get())),
            Some(Move::PayJokers(jokers)) => {
                let jokers = jokers.get();
                write!(f, "pay {jokers} {}", if jokers == 1 { "joker" } else { "jokers" })
            }
            Some(Move::Decree(entry)) => write!(f, "decree {}", entry.get()),
            None => write!(f, "action {}", action.0),
        }
    }
}

/// Writes a set as players type it: `8x2`, `8+*`.
pub(super) fn set_label(ladder: Ladder, set: Set, f: &mut impl fmt::Write) -> fmt::Result {
    let name = ladder.name(usize::from(set.rank));
    set.write(name, "**", f)?;
    if set.naturals == 0 && usize::from(set.rank) != JOKER { write!(f, " as {name}") } else { Ok(()) }
}

#[inline(always)]
fn legal_play(view: View<'_>) -> Legal {
    let (table, trick) = (view.table, &view.table.trick);
    if table.position_of(view.seat) != trick.turn || trick.is_over() {
        return Legal::EMPTY;
    }
    let hand = &view.own.hand.0;
    let jokers = hand[JOKER].min(2);
    let better = (JOKER - usize::from(trick.strength) + table.trick_rules().equals()).min(NATURALS);
    let top = (1 << better) - 1;
    if trick.size != 0 && jokers == 0 {
        return without_jokers(sets::holding(&view.own.hand, trick.size) & top, trick.size);
    }
    // Compute the mask before adding the sets. A mask that lives across a call is copied at the end. Reading it back
    // just after writing costs more than all the rest.
    let mut legal = if jokers == 0 { Legal::EMPTY } else { jokers_alone(table, jokers, better) };
    legal.insert_run(PASS.offset, u64::from(trick.may_pass(table.trick_rules())));
    if trick.size == 0 {
        let leads = sets::leads(jokers);
        for rank in bits(sets::holding(&view.own.hand, 1) & ALL) {
            legal.insert_run(first_id(rank) + 2, leads[usize::from(hand[rank])]);
        }
    } else {
        let fits = sets::of_size(trick.size, jokers);
        // A set needs at least this many natural cards of the rank.
        let least = trick.size.saturating_sub(jokers).max(1);
        for rank in bits(sets::holding(&view.own.hand, least) & top) {
            legal.insert_run(first_id(rank) + 2, fits[usize::from(hand[rank])]);
        }
    }
    legal
}

/// The sets of jokers only, in a separate function to keep the path of hands without jokers fast. `better` is the
/// number of rank indices that answer the table.
#[cold]
fn jokers_alone(table: &PublicState, jokers: u8, better: usize) -> Legal {
    let mut legal = Legal::EMPTY;
    let lead = table.trick.size == 0;
    match table.variant.jokers {
        Jokers::Wild => {
            let ladder = table.ladder();
            // Bit 0 is one joker, bit 1 is two jokers.
            let fits = if lead { (1 << jokers) - 1 } else { (1 << table.trick.size.min(3)) >> 1 };
            let held = (1 << jokers) - 1;
            for rank in (0..better).filter(|&rank| ladder.has(rank)) {
                legal.insert_run(first_id(rank), fits & held);
            }
        }
        Jokers::Low if lead => legal.insert_run(JOKERS.offset, (1 << jokers) - 1),
        Jokers::Low
            if table.trick.strength == 0
                && table.trick.size <= jokers
                && table.trick_rules().equals() != 0 =>
        {
            legal.insert(JOKERS.offset + usize::from(table.trick.size) - 1);
        }
        Jokers::Low | Jokers::None => {}
    }
    legal
}

#[cold]
fn legal_before_play(view: View<'_>) -> Legal {
    let mut legal = Legal::EMPTY;
    let allow = |chosen: Move| legal.insert(usize::from(chosen.id().0));
    let (table, own) = (view.table, view.own);
    match own.ask {
        Ask::Nothing => {}
        Ask::Decree => {
            if let Decree::Menu(menu) = &table.rules.decree {
                Bounded::all().take(menu.as_slice().len()).map(Move::Decree).for_each(allow);
            }
        }
        Ask::TaxJokers => {
            let position = table.position_of(view.seat);
            let k = table.pairs().iter().find(|pair| pair.1 == position).map_or(0, |pair| pair.2);
            let most = usize::from(own.hand.0[JOKER].min(k));
            Bounded::all().take(most + 1).map(Move::PayJokers).for_each(allow);
        }
        Ask::Return => {
            let mut left = own.hand;
            left.remove(&own.given);
            Rank::all().filter(|rank| left.0[rank.get()] > 0).map(Move::Give).for_each(allow);
        }
    }
    legal
}

// Legal answers of a hand without jokers: most decisions of most rounds.
//
// All words of the mask are computed in parallel, without branches. A loop that adds one set after another is slower than
// all the arithmetic below. Its end is unpredictable, and it writes single words that are then read as a block.

type Legal = Words<8>;

/// Number of words in the mask.
const WORDS: usize = Legal::WORDS;

/// Where each word of the mask has the sets of one size, one for each rank. Their ids are `SETS_OF_RANK` apart, with
/// the highest rank last, so a word has at most three of them.
#[derive(Copy, Clone)]
struct Windows {
    /// Right shift for the bits of the ranks, which are already shifted left by [`MARGIN`]. It moves the lowest rank of
    /// the word to bit 2, and the next two higher ranks to bits 1 and 0.
    down: [u64; WORDS],
    /// The low six bits hold the bit index of the lowest rank's set. The other bits hold the rest of the word, which is
    /// the pass.
    ///
    /// Both share one number for speed. Compilers treat words separately if they know that a word never has something,
    /// and then write the words one by one.
    lowest: [u64; WORDS],
}

/// Mask of the bits that hold a bit index within a word.
const PLACE: u64 = 63;

/// Number of zero bits below the highest rank, for ranks that the last words do not have.
const MARGIN: usize = 4;

/// The windows by set size. Entry 0 is unused. No rank has more than [`COPIES`] cards, so larger sizes have no sets.
static WINDOWS: [Windows; sets::MAX_SIZE + 1] = {
    let mut table = [Windows { down: [0; WORDS], lowest: [0; WORDS] }; sets::MAX_SIZE + 1];
    let pass = 1 << (PASS.offset % 64);
    assert!(pass & PLACE == 0);
    let mut size = 1;
    while size <= sets::MAX_SIZE {
        table[size].lowest[PASS.offset / 64] = pass;
        // The id of the set of the lowest rank.
        let id = 2 + sets::bit(size as u8, 0);
        let mut word = 0usize;
        while word < WORDS && size <= COPIES {
            let slot = (64 * word).saturating_sub(id).div_ceil(SETS_OF_RANK);
            table[size].down[word] = (NATURALS - 1 - 2 + MARGIN - slot) as u64;
            table[size].lowest[word] |= (SETS_OF_RANK * slot + id - 64 * word) as u64;
            word += 1;
        }
        size += 1;
    }
    table
};

/// The mask with one set of `size` natural cards for each rank index in the bit mask `ranks`, and the pass.
#[inline]
fn without_jokers(ranks: u32, size: u8) -> Legal {
    const APART: usize = SETS_OF_RANK;
    let Windows { down, lowest } = &WINDOWS[usize::from(size)];
    let ranks = u64::from(ranks) << MARGIN;
    Words(std::array::from_fn(|word| {
        let three = ranks >> down[word];
        let sets =
            (three >> 2 | three << (APART - 1) | three << (2 * APART)) & (1 | 1 << APART | 1 << (2 * APART));
        sets << (lowest[word] & PLACE) | lowest[word] & !PLACE
    }))
}

// Categories of moves, as evidence of how a player plays.

/// Names of the categories. Those of [`of_play`] come first.
const HABITS: [&str; KINDS + 5] = [
    "pass, though able to play",
    "lead",
    "lead a single card",
    "follow",
    "play a joker",
    "split a rank",
    "pass the lead on",
    "pay a joker",
    "keep all jokers from the taxes",
    "give a joker back",
    "decree",
];

impl Habits for Round {
    const HABITS: &'static [&'static str] = &HABITS;

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        let leads = view.table.trick.size == 0;
        let play = |set| of_play(&view.own.hand, leads, set);
        // The categories of this game follow those of plays.
        let own = |kind: u32| 1 << (KINDS as u32 + kind);
        match Move::of(action) {
            Some(Move::Play(set)) => play(Some(set.set())),
            Some(Move::Pass) if leads => own(0),
            Some(Move::Pass) => play(None),
            Some(Move::PayJokers(jokers)) => own(if jokers.get() > 0 { 1 } else { 2 }),
            Some(Move::Give(Rank::LAST)) => own(3),
            Some(Move::Decree(_)) => own(4),
            Some(Move::Give(_)) | None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardsharp_climbing::Set;
    use cardsharp_engine::mask::bits;

    /// The same mask, built set by set.
    fn one_by_one(ranks: u32, size: u8) -> Legal {
        let mut legal = Legal::EMPTY;
        legal.insert(PASS.offset);
        for rank in bits(ranks) {
            let set = DeckSet::held(Set { rank: rank as u8, naturals: size, wilds: 0 });
            legal.insert(usize::from(Move::Play(set).id().0));
        }
        legal
    }

    #[test]
    fn all_words_at_once_are_the_sets_one_by_one() {
        for size in 1..=COPIES as u8 {
            for ranks in 0..1 << NATURALS {
                assert_eq!(without_jokers(ranks, size), one_by_one(ranks, size), "{size} of {ranks:b}");
            }
        }
    }

    #[test]
    fn of_more_cards_than_there_are_of_a_rank_there_is_no_set() {
        for size in COPIES + 1..=sets::MAX_SIZE {
            assert_eq!(without_jokers(0, size as u8), one_by_one(0, 1));
        }
    }
}
