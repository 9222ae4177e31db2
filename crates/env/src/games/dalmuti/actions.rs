//! The 262 actions: ids, names and legality as bits.

use std::fmt;

use super::deck::{JESTER, RANKS, rank_name};
use super::table::{Ask, CUSTOMS, Stage, Table};
use super::{Round, View};
use crate::blocks;
use crate::game::Actions;
use crate::games::climbing::sets::{self, Set};
use crate::ground::ActionId;
use crate::ground::blocks::Block;
use crate::ground::mask::{Words, bits};

blocks! {
    /// All actions.
    pub ACTIONS {
        /// Sets of one numbered rank.
        pub PLAY: "play", 234, 1, "Play n cards of rank r with j Jesters: id 3r(r-1)/2 + 3(n-1) + j for r 1..=12, n 1..=r, j 0..=2.";
        /// Jesters alone.
        pub JESTERS: "jesters", 2, 1, "Play one or two Jesters alone, as rank 13.";
        /// Pass.
        pub PASS: "pass", 1, 1, "Pass; not final.";
        /// Cards to give.
        pub GIVE: "give", 13, 1, "Give a card of rank 1..=12, or a Jester, in taxes or merchant exchange.";
        /// The holder of both Jesters.
        pub REVOLUTION: "revolution", 2, 1, "Call a revolution; decline.";
        /// The highest Merchant.
        pub EXCHANGE: "exchange", 8, 1, "No exchange; exchange with position 3..=9 (counted from 0).";
        /// The exposed card.
        pub MISDEAL: "misdeal", 2, 1, "The exposed card stays with its receiver; it goes to the Greater Peon.";
    }
}

/// The bits of the numbered ranks.
const NATURALS: u32 = (1 << JESTER) - 1;

/// Legal actions.
pub type Legal = Words<5>;

impl Actions for Round {
    const ACTIONS: &'static [Block] = ACTIONS;
    type Legal = Legal;

    #[inline]
    fn legal(view: View<'_>) -> Legal {
        if view.table.stage == Stage::Play { legal_play(view) } else { legal_before_play(view) }
    }

    fn is_legal(view: View<'_>, action: ActionId) -> bool {
        let (table, own) = (view.table, view.own);
        let asked = |ask| table.stage != Stage::Play && own.ask == ask;
        let acts = table.stage == Stage::Play
            && table.order[usize::from(table.trick.turn)] == view.seat
            && table.trick.still_in.len() > 1;
        if let Some(set) = set(action) {
            let held = |rank: usize, n: u8| own.hand.0[rank] >= n;
            let has_cards =
                held(JESTER, set.wilds) && (set.naturals == 0 || held(usize::from(set.rank), set.naturals));
            let tops = set.size() == table.trick.size && set.strength::<RANKS>() > table.trick.strength;
            return acts && has_cards && (table.trick.size == 0 || tops);
        }
        if let Some(rank) = GIVE.index(action) {
            return (asked(Ask::Tax) || asked(Ask::Exchange)) && own.hand.0[rank] > own.given.0[rank];
        }
        if let Some(choice) = EXCHANGE.index(action) {
            let is_merchant = |position: usize| position >= 3 && position + 3 <= usize::from(table.players());
            return asked(Ask::Offer) && (choice == 0 || is_merchant(choice + 2));
        }
        if action == PASS.nth(0) {
            return acts && table.trick.size > 0;
        }
        match () {
            () if REVOLUTION.index(action).is_some() => asked(Ask::Revolution),
            () if MISDEAL.index(action).is_some() => asked(Ask::Misdeal),
            () => false,
        }
    }

    fn is_public(action: ActionId) -> bool {
        GIVE.index(action).is_none() && action != REVOLUTION.nth(1)
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

    fn label(_: Option<&Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Set { rank, naturals, wilds }) = set(action) {
            let jesters = &"JJ"[..usize::from(wilds)];
            return match (naturals, jesters) {
                (0, _) => f.write_str(jesters),
                (1, "") => f.write_str(rank_name(usize::from(rank))),
                (1, _) => write!(f, "{}+{jesters}", rank_name(usize::from(rank))),
                (n, "") => write!(f, "{}x{n}", rank_name(usize::from(rank))),
                (n, _) => write!(f, "{}x{n}+{jesters}", rank_name(usize::from(rank))),
            };
        }
        if let Some(rank) = GIVE.index(action) {
            return write!(f, "give {}", rank_name(rank));
        }
        if let Some(choice) = EXCHANGE.index(action) {
            return if choice == 0 {
                f.write_str("no exchange")
            } else {
                write!(f, "exchange with position {}", choice + 2)
            };
        }
        f.write_str(match action {
            a if a == PASS.nth(0) => "pass",
            a if a == REVOLUTION.nth(0) => "call revolution",
            a if a == REVOLUTION.nth(1) => "decline revolution",
            a if a == MISDEAL.nth(0) => "keep misdeal",
            a if a == MISDEAL.nth(1) => "misdeal to peon",
            _ => return write!(f, "action {}", action.0),
        })
    }
}

/// The action that plays a set.
pub const fn play(set: Set) -> ActionId {
    let id = if set.naturals == 0 {
        JESTERS.offset + set.wilds as usize - 1
    } else {
        first_id(set.rank as usize) + sets::bit(set.naturals, set.wilds)
    };
    ActionId(id as u16)
}

/// The first id of the sets of a rank index.
const fn first_id(rank: usize) -> usize {
    3 * (rank + 1) * rank / 2
}

const SETS: [Set; PASS.offset] = {
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

static SET_OF: [Set; PASS.offset] = SETS;

/// The set an action plays, if it plays one.
#[inline]
pub fn set(action: ActionId) -> Option<Set> {
    SET_OF.get(usize::from(action.0)).copied()
}

#[inline]
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
        let better = ((1 << (JESTER - usize::from(trick.strength))) - 1) & NATURALS;
        if jesters == 0 {
            // One set of each rank: no table, and no second word of the mask.
            let set = sets::bit(trick.size, 0);
            for rank in bits(sets::holding(&view.own.hand, trick.size) & better) {
                legal.insert(first_id(rank) + set);
            }
        } else {
            let fits = sets::of_size(trick.size, jesters);
            // Without as many cards of the rank and Jesters there is no such set.
            let least = trick.size.saturating_sub(jesters).max(1);
            for rank in bits(sets::holding(&view.own.hand, least) & better) {
                legal.insert_run(first_id(rank), fits[usize::from(hand[rank])]);
            }
        }
    }
    if trick.may_pass(CUSTOMS) {
        legal.insert(PASS.offset);
    }
    legal
}

#[cold]
fn legal_before_play(view: View<'_>) -> Legal {
    let mut legal = Legal::EMPTY;
    match view.own.ask {
        Ask::Nothing => {}
        Ask::Misdeal => legal.insert_run(MISDEAL.offset, 0b11),
        Ask::Revolution => legal.insert_run(REVOLUTION.offset, 0b11),
        Ask::Offer => {
            legal.insert(EXCHANGE.offset);
            for position in 3..=view.table.players() - 3 {
                legal.insert(EXCHANGE.offset + usize::from(position) - 2);
            }
        }
        Ask::Tax | Ask::Exchange => {
            for rank in 0..RANKS {
                if view.own.hand.0[rank] > view.own.given.0[rank] {
                    legal.insert(GIVE.offset + rank);
                }
            }
        }
    }
    legal
}
