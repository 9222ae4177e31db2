//! The action mask and the labels of actions.

use std::fmt;

use cardsharp_engine::ActionId;
use cardsharp_engine::blocks::Block;
use cardsharp_engine::game::Actions;
use cardsharp_engine::mask::Words;

use super::announce::{claimant, true_roem};
use super::ladder::up_to;
use super::moves::{ACTIONS, ASK, BID, CLAIM, DISCARD, Move, TRUMP};
use super::roem::{CLAIMS, Claim};
use super::rules::{RoemClaims, TrumpRule};
use super::table::{Round, Stage, Table, View};
use super::{contract, follow, play, words};

type Legal = Words<4>;

impl Actions for Round {
    const ACTIONS: &'static [Block] = ACTIONS;
    type Legal = Legal;

    #[inline(always)]
    fn legal(view: View<'_>) -> Legal {
        let mut legal = Legal::EMPTY;
        let (table, hand) = (view.table, view.own.hand);
        if table.turn != view.seat {
            return legal;
        }
        match table.stage {
            Stage::Play => {
                legal.0[0] = follow::playable(table, view.seat, hand).0;
                if play::may_call(table, view.seat, hand) {
                    insert(&mut legal, Move::Call);
                }
            }
            Stage::Opening => {
                insert_bids(&mut legal, up_to(table.rules.max_point_bid));
                insert(&mut legal, Move::Hold);
            }
            Stage::Auction => {
                let above = table.high().map_or(u128::MAX, |high| u128::MAX << (high.rung() + 1));
                insert_bids(&mut legal, up_to(table.rules.max_point_bid) & above);
                insert(&mut legal, Move::Pass);
            }
            Stage::Discard => legal.insert_run(DISCARD.offset, hand.0),
            Stage::Trump => {
                let free = table
                    .contract()
                    .is_some_and(|kind| table.rules.trump_rule(kind) == TrumpRule::NamedOrNone);
                legal.insert_run(TRUMP.offset, if free { 0b11111 } else { 0b1111 });
            }
            Stage::Ask => {
                legal.insert_run(ASK.offset, contract::askable(table, view.own).0);
                insert(&mut legal, Move::Solo);
            }
            Stage::Claim => legal_claims(view, &mut legal),
            Stage::Over => {}
        }
        legal
    }

    fn is_legal(view: View<'_>, action: ActionId) -> bool {
        words::is_legal(view, action)
    }

    fn is_public(action: ActionId) -> bool {
        Move::of(action).is_none_or(Move::is_public)
    }

    fn phase(&self) -> &'static str {
        match self.table.stage {
            Stage::Opening => "opening",
            Stage::Auction => "auction",
            Stage::Discard => "discard",
            Stage::Trump => "trump",
            Stage::Ask => "ask",
            Stage::Play => "play",
            Stage::Claim => "claim",
            Stage::Over => "none",
        }
    }

    fn label(_: Option<&Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Move::of(action) {
            Some(chosen) => write!(f, "{chosen}"),
            None => write!(f, "action {}", action.0),
        }
    }
}

#[inline]
fn insert(legal: &mut Legal, chosen: Move) {
    legal.insert(usize::from(chosen.id().0));
}

#[inline]
fn insert_bids(legal: &mut Legal, rungs: u128) {
    legal.insert_run(BID.offset, rungs as u64);
    legal.insert_run(BID.offset + 64, (rungs >> 64) as u64);
}

#[cold]
fn legal_claims(view: View<'_>, legal: &mut Legal) {
    if view.table.rules.roem_claims == RoemClaims::FreeClaim {
        legal.insert_run(CLAIM.offset, (1 << CLAIMS) - 1);
    } else {
        let truth = true_roem(view.table, claimant(view.table), view.own, view.seat);
        insert(legal, Move::Claim(Claim::NOTHING));
        insert(legal, Move::Claim(Claim::up_to(truth)));
    }
}
