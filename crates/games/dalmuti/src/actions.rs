//! Labels and legality of the moves.

use std::fmt;

use cardsharp_climbing::{EqualRank, Set, sets};
use cardsharp_engine::ActionId;
use cardsharp_engine::blocks::Block;
use cardsharp_engine::game::Actions;
use cardsharp_engine::mask::{Words, bits};

use super::deck::{JESTER, RANKS, Rank, rank_name};
use super::moves::{ACTIONS, JESTERS, Merchant, Move, PASS, first_id};
use super::state::{Round, View};
use super::table::{Ask, Stage, Table};

/// One bit for each numbered rank.
const NATURALS: u32 = (1 << JESTER) - 1;

/// The action mask.
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
                let (strength, to_beat) = (set.strength::<RANKS>(), table.trick.strength);
                let equals = table.rules.equal_rank != EqualRank::Forbidden && strength == to_beat;
                let answers = set.size() == table.trick.size && (strength > to_beat || equals);
                acts && has_cards && (table.trick.size == 0 || answers)
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

    fn label(_: Option<&Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
pub(super) fn set_label(Set { rank, naturals, wilds }: Set, f: &mut impl fmt::Write) -> fmt::Result {
    let (name, jesters) = (rank_name(usize::from(rank)), &"JJ"[..usize::from(wilds)]);
    match (naturals, jesters) {
        (0, _) => f.write_str(jesters),
        (1, "") => f.write_str(name),
        (1, _) => write!(f, "{name}+{jesters}"),
        (n, "") => write!(f, "{name}x{n}"),
        (n, _) => write!(f, "{name}x{n}+{jesters}"),
    }
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
        let equals = view.table.customs().equals();
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
