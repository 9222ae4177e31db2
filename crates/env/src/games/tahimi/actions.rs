//! The 509 actions: ids, names and legality as bits.

use std::fmt;

use super::deck::{COPIES, JOKER, Ladder, NATURALS, RANKS, slot};
use super::rules::Decree;
use super::table::{Ask, Stage, Table};
use super::tax::pairs_of;
use super::variant::{Jokers, MENU};
use super::{Round, View, follow};
use crate::blocks;
use crate::game::Actions;
use crate::games::climbing::sets::{self, Set};
use crate::ground::ActionId;
use crate::ground::blocks::Block;
use crate::ground::mask::{Words, bits};

/// Ids of the sets of one rank: jokers alone, then naturals with jokers.
pub(super) const SETS_OF_RANK: usize = 2 + 3 * COPIES;

blocks! {
    /// All actions.
    pub ACTIONS {
        /// Sets of one rank.
        pub PLAY: "play",
    NATURALS * SETS_OF_RANK,
    1,
    "Play n cards and j jokers as rank slot s: id 26s + 3n + j - 1 for s 0..=17 (slot 0 is the lowest rank, 17 the \
         highest), n 0..=8, j 0..=2, not both 0. n = 0 only where jokers alone are wild.";
        /// Low jokers alone.
        pub JOKERS: "jokers", 2, 1, "Play one or two jokers alone, as the lowest rank of all.";
        /// Pass.
        pub PASS: "pass", 1, 1, "Pass; not final.";
        /// Cards to give back.
        pub GIVE: "give", RANKS, 1, "Give a card of slot 0..=17, or a joker, back for the taxes received.";
        /// Jokers to pay.
        pub TAX_JOKERS: "tax_jokers", 3, 1, "Pay 0, 1 or 2 jokers among the taxes.";
        /// Decrees.
        pub DECREE: "decree", MENU, 1, "Decree entry 0..=15 of the menu.";
    }
}

/// The bits of the natural ranks.
const ALL: u32 = (1 << NATURALS) - 1;

/// Legal actions.
pub type Legal = Words<8>;

impl Actions for Round {
    const ACTIONS: &'static [Block] = ACTIONS;
    type Legal = Legal;

    #[inline]
    fn legal(view: View<'_>) -> Legal {
        if view.table.stage == Stage::Play { legal_play(view) } else { legal_before_play(view) }
    }

    fn is_legal(view: View<'_>, action: ActionId) -> bool {
        let (table, own) = (view.table, view.own);
        let trick = &table.trick;
        let asked = |ask| table.stage != Stage::Play && own.ask == ask;
        let acts = table.stage == Stage::Play
            && table.order[usize::from(trick.turn)] == view.seat
            && trick.still_in.len() > 1;
        if let Some(set) = set(action) {
            let rank = usize::from(set.rank);
            let has_cards = own.hand.0[JOKER] >= set.wilds && own.hand.0[rank] >= set.naturals;
            // Jokers alone: low ones are no rank's, wild ones any rank's that the deck has.
            let is_set = match (rank, set.naturals) {
                (JOKER, _) => table.variant.jokers == Jokers::Low,
                (_, 0) => table.variant.jokers == Jokers::Wild && table.ladder().has(rank),
                _ => true,
            };
            let tops = set.size() == trick.size && set.strength::<RANKS>() > trick.strength;
            return acts && has_cards && is_set && (trick.size == 0 || tops);
        }
        if let Some(rank) = given(action) {
            return asked(Ask::Return) && own.hand.0[rank] > own.given.0[rank];
        }
        if let Some(jokers) = TAX_JOKERS.index(action) {
            let due =
                own.partner.map_or(0, |high| match (high, table.variant.is_progressive(), table.players) {
                    (0, true, 6..) => 3,
                    (0, ..) | (1, true, 7..) => 2,
                    _ => 1,
                });
            return asked(Ask::TaxJokers) && jokers <= due && jokers <= usize::from(own.hand.0[JOKER]);
        }
        if let Some(entry) = DECREE.index(action) {
            let menu = matches!(&table.rules.decree, Decree::Menu(menu) if entry < menu.as_slice().len());
            return asked(Ask::Decree) && menu;
        }
        // The last player whom an empty table reaches must lead.
        let others_passed = u32::from(trick.passed.len() + 1 == trick.still_in.len());
        let may_pass = trick.size > 0 || table.rules.pass_on_lead && others_passed == 0;
        action == PASS.nth(0) && acts && may_pass
    }

    fn is_public(action: ActionId) -> bool {
        GIVE.index(action).is_none() && TAX_JOKERS.index(action).is_none()
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

    fn label(table: Option<&Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        label(table.map_or(Ladder::ALL, Table::ladder), action, f)
    }
}

/// The action that plays a set.
pub const fn play(set: Set) -> ActionId {
    let id = if set.rank as usize == JOKER {
        JOKERS.offset + set.wilds as usize - 1
    } else {
        first_id(set.rank as usize) + 3 * set.naturals as usize + set.wilds as usize - 1
    };
    ActionId(id as u16)
}

/// The first id of the sets of a rank index.
const fn first_id(rank: usize) -> usize {
    SETS_OF_RANK * slot(rank)
}

const SETS: [Set; PASS.offset] = {
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

static SET_OF: [Set; PASS.offset] = SETS;

/// The set an action plays, if it plays one.
#[inline]
pub fn set(action: ActionId) -> Option<Set> {
    SET_OF.get(usize::from(action.0)).copied()
}

/// The action that gives a card of this rank index back.
pub const fn give(rank: usize) -> ActionId {
    GIVE.nth(if rank == JOKER { JOKER } else { slot(rank) })
}

/// The rank index of the card that an action gives back, if it does.
pub const fn given(action: ActionId) -> Option<usize> {
    match GIVE.index(action) {
        Some(JOKER) => Some(JOKER),
        Some(slot) => Some(NATURALS - 1 - slot),
        None => None,
    }
}

#[inline]
fn legal_play(view: View<'_>) -> Legal {
    let (table, trick) = (view.table, &view.table.trick);
    if table.position[view.seat.index()] != trick.turn || trick.is_over() {
        return Legal::EMPTY;
    }
    let hand = &view.own.hand.0;
    let jokers = hand[JOKER].min(2);
    let better = (JOKER - usize::from(trick.strength)).min(NATURALS);
    let top = (1 << better) - 1;
    if trick.size != 0 && jokers == 0 {
        return follow::without_jokers(sets::holding(&view.own.hand, trick.size) & top, trick.size);
    }
    // The call stands before the sets are added: a mask that lives across a call is copied at the end,
    // and reading back what was only just written costs more than all the rest.
    let mut legal = if jokers == 0 { Legal::EMPTY } else { jokers_alone(table, jokers, better) };
    legal.insert_run(PASS.offset, u64::from(trick.may_pass(table.customs())));
    if trick.size == 0 {
        let leads = sets::leads(jokers);
        for rank in bits(sets::holding(&view.own.hand, 1) & ALL) {
            legal.insert_run(first_id(rank) + 2, leads[usize::from(hand[rank])]);
        }
    } else {
        let fits = sets::of_size(trick.size, jokers);
        // Without as many cards of the rank and jokers there is no such set.
        let least = trick.size.saturating_sub(jokers).max(1);
        for rank in bits(sets::holding(&view.own.hand, least) & top) {
            legal.insert_run(first_id(rank) + 2, fits[usize::from(hand[rank])]);
        }
    }
    legal
}

/// Sets of jokers only, out of the way of the many hands without any; `better` is the number of rank
/// indices that would top the table.
#[cold]
fn jokers_alone(table: &Table, jokers: u8, better: usize) -> Legal {
    let mut legal = Legal::EMPTY;
    let lead = table.trick.size == 0;
    match table.variant.jokers {
        Jokers::Wild => {
            let ladder = table.ladder();
            // Bit 0 is one joker, bit 1 two.
            let fits = if lead { (1 << jokers) - 1 } else { (1 << table.trick.size.min(3)) >> 1 };
            let held = (1 << jokers) - 1;
            for rank in (0..better).filter(|&rank| ladder.has(rank)) {
                legal.insert_run(first_id(rank), fits & held);
            }
        }
        Jokers::Low if lead => legal.insert_run(JOKERS.offset, (1 << jokers) - 1),
        Jokers::Low | Jokers::None => {}
    }
    legal
}

#[cold]
fn legal_before_play(view: View<'_>) -> Legal {
    let mut legal = Legal::EMPTY;
    let (table, own) = (view.table, view.own);
    match own.ask {
        Ask::Nothing => {}
        Ask::Decree => {
            if let Decree::Menu(menu) = &table.rules.decree {
                legal.insert_run(DECREE.offset, (1 << menu.as_slice().len()) - 1);
            }
        }
        Ask::TaxJokers => {
            let position = table.position[view.seat.index()];
            let k = pairs_of(table).iter().find(|pair| pair.1 == position).map_or(0, |pair| pair.2);
            legal.insert_run(TAX_JOKERS.offset, (2 << own.hand.0[JOKER].min(k)) - 1);
        }
        Ask::Return => {
            let mut left = own.hand;
            left.remove(&own.given);
            let held = sets::holding(&left, 1);
            // Slots count up as ranks count down; the joker comes after them.
            let slots = (held & ALL).reverse_bits() >> (u32::BITS - NATURALS as u32);
            legal.insert_run(GIVE.offset, u64::from(slots | held & !ALL));
        }
    }
    legal
}

/// Writes the name of an action with the names of this ladder.
pub fn label(ladder: Ladder, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(Set { rank, naturals, wilds }) = set(action) {
        let (name, jokers) = (ladder.name(usize::from(rank)), &"**"[..usize::from(wilds)]);
        return match (naturals, jokers) {
            (0, _) if usize::from(rank) == JOKER => f.write_str(jokers),
            (0, _) => write!(f, "{jokers} as {name}"),
            (1, "") => f.write_str(name),
            (1, _) => write!(f, "{name}+{jokers}"),
            (n, "") => write!(f, "{name}x{n}"),
            (n, _) => write!(f, "{name}x{n}+{jokers}"),
        };
    }
    if let Some(rank) = given(action) {
        return write!(f, "give {}", ladder.name(rank));
    }
    if let Some(jokers) = TAX_JOKERS.index(action) {
        return write!(f, "pay {jokers} {}", if jokers == 1 { "joker" } else { "jokers" });
    }
    if let Some(entry) = DECREE.index(action) {
        return write!(f, "decree {entry}");
    }
    f.write_str("pass")
}
