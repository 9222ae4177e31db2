//! The 212 actions: ids, names and legality as bits.

use std::fmt;

use super::deck::{CARDS, Card, Trump};
use super::ladder::{Bid, RUNGS, up_to};
use super::rules::{RoemClaims, TrumpRule};
use super::table::{Stage, Table};
use super::{Round, View, contract, follow, play, roem, words};
use crate::blocks;
use crate::game::Actions;
use crate::ground::ActionId;
use crate::ground::blocks::Block;
use crate::ground::mask::Words;

/// Totals that can be claimed: 0, 10, …, 320.
const CLAIMS: usize = roem::MOST as usize / 10 + 1;

blocks! {
    /// All actions.
    pub ACTIONS {
        /// Cards to play.
        pub PLAY: "play", CARDS, 1, "Play a card: S7..SA, H6..HA, D7..DA, C7..CA, in this order here and below.";
        /// Calling.
        pub CALL: "call", 1, 1, "Call the asked card; then lead a card of its suit.";
        /// Cards to put aside.
        pub DISCARD: "discard", CARDS, 1, "Put a card aside.";
        /// Cards to ask for.
        pub ASK: "ask", CARDS, 1, "Ask for a card: who holds it is the partner.";
        /// Playing alone.
        pub SOLO: "solo", 1, 1, "Play alone.";
        /// Trumps.
        pub TRUMP: "trump", 5, 1, "Name trump: spades, hearts, diamonds, clubs; or play without.";
        /// Bids, the first one too.
        pub BID: "bid",
    RUNGS,
    1,
    "Bid: 80 to 150, misere, 160 to 190, zwabber, 200, 210, ouverte, 220 to 710, praatje, prive, praatje uit de hand, \
         prive uit de hand.";
        /// Passing.
        pub PASS: "pass", 1, 1, "Pass, for the rest of the auction.";
        /// Holding.
        pub HOLD: "hold", 1, 1, "Do not speak first.";
        /// Roem to claim.
        pub CLAIM: "claim", CLAIMS, 1, "Claim so much roem: 0, 10, …, 320.";
    }
}

/// Legal actions.
pub type Legal = Words<4>;

impl Actions for Round {
    const ACTIONS: &'static [Block] = ACTIONS;
    type Legal = Legal;

    #[inline]
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
                    legal.insert(CALL.offset);
                }
            }
            Stage::Opening => {
                insert_bids(&mut legal, up_to(table.rules.max_point_bid));
                legal.insert(HOLD.offset);
            }
            Stage::Auction => {
                let above = table.high().map_or(u128::MAX, |high| u128::MAX << (high.rung() + 1));
                insert_bids(&mut legal, up_to(table.rules.max_point_bid) & above);
                legal.insert(PASS.offset);
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
                legal.insert(SOLO.offset);
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
        DISCARD.index(action).is_none()
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
        let card = |block: Block| block.index(action).and_then(|number| Card::new(number as u8));
        if let Some(card) = card(PLAY) {
            return write!(f, "{card}");
        }
        if let Some(card) = card(DISCARD) {
            return write!(f, "discard {card}");
        }
        if let Some(card) = card(ASK) {
            return write!(f, "ask {card}");
        }
        if let Some(named) = TRUMP.index(action) {
            return write!(f, "trump {}", Trump::ALL[named]);
        }
        if let Some(bid) = BID.index(action).and_then(|rung| Bid::new(rung as u8)) {
            return write!(f, "bid {bid}");
        }
        if let Some(tens) = CLAIM.index(action) {
            return write!(f, "claim {}", 10 * tens);
        }
        f.write_str(match action {
            a if a == CALL.nth(0) => "call",
            a if a == SOLO.nth(0) => "solo",
            a if a == PASS.nth(0) => "pass",
            a if a == HOLD.nth(0) => "hold",
            _ => return write!(f, "action {}", action.0),
        })
    }
}

/// The action that plays a card.
pub const fn play_card(card: Card) -> ActionId {
    PLAY.nth(card.number())
}

/// The action that makes a bid.
pub const fn make_bid(bid: Bid) -> ActionId {
    BID.nth(bid.rung())
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
        let truth = play::true_roem(view.table, play::claimant(view.table), view.own, view.seat);
        legal.insert(CLAIM.offset);
        legal.insert(CLAIM.offset + usize::from(truth / 10));
    }
}

/// Plays an action of the seat whose turn it is.
#[inline]
pub fn apply(round: &mut Round, action: ActionId) {
    match round.table.stage {
        Stage::Play => play::play(round, action),
        Stage::Opening => super::auction::play_opening(round, action),
        Stage::Auction => super::auction::play_auction(round, action),
        Stage::Discard => contract::play_discard(round, action),
        Stage::Trump => contract::play_trump(round, action),
        Stage::Ask => contract::play_ask(round, action),
        Stage::Claim => play::play_claim(round, action),
        Stage::Over => {}
    }
}
