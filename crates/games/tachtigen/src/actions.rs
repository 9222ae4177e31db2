//! The moves: their 212 action ids and labels, the action mask, and the kinds of moves that characterize a
//! player's style.

use std::fmt;

use cardsharp_engine::ActionId;
use cardsharp_engine::blocks;
use cardsharp_engine::blocks::Block;
use cardsharp_engine::game::{Actions, Habits};
use cardsharp_engine::mask::Words;

use super::auction::{Bid, Kind, RUNGS, askable, up_to};
use super::deck::{ACE, CARDS, Card, Trump};
use super::roem::{CLAIMS, Claim, claimant, true_roem};
use super::rules::{RoemClaims, TrumpRule};
use super::state::{PublicState, Round, Stage, View};
use super::{follow, play, words};

blocks! {
    ACTIONS {
        PLAY: "play", CARDS, 1, "Play a card: S7..SA, H6..HA, D7..DA, C7..CA, in this order here and below.";
        CALL: "call", 1, 1, "Call the asked card, before leading a card of its suit.";
        /// Cards to put aside.
        DISCARD: "discard", CARDS, 1, "Put a card aside.";
        /// Cards to ask for.
        ASK: "ask", CARDS, 1, "Ask for a card: its holder is the partner.";
        SOLO: "solo", 1, 1, "Play alone.";
        TRUMP: "trump", 5, 1, "Name trump: spades, hearts, diamonds, clubs; or play without.";
        /// Bids, the first one too.
        BID: "bid",
    RUNGS,
    1,
    "Bid: 80 to 150, misere, 160 to 190, zwabber, 200, 210, ouverte, 220 to 710, praatje, prive, praatje uit de hand, \
         prive uit de hand.";
        PASS: "pass", 1, 1, "Pass, for the rest of the auction.";
        HOLD: "hold", 1, 1, "Hold: do not open.";
        CLAIM: "claim", CLAIMS, 1, "Claim roem: 0, 10, …, 320.";
    }
}

/// A move. In text, the action's label: `SJ`, `ask HA`, `bid 80`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Plays a card to the trick.
    Play(Card),
    /// Calls the asked card; the next lead must be of its suit.
    Call,
    /// Puts a card aside. Only the bidder sees which.
    Discard(Card),
    /// Asks for a card; its holder is the partner.
    Ask(Card),
    /// Asks for no card and plays alone.
    Solo,
    /// Names trump, or no trump.
    Trump(Trump),
    /// Bids: opens, or bids higher.
    Bid(Bid),
    /// Passes, for the rest of the auction.
    Pass,
    /// Does not open the auction.
    Hold,
    /// Claims this total of roem.
    Claim(Claim),
}

impl Move {
    /// Returns the move with this id, if any.
    #[inline]
    pub fn of(action: ActionId) -> Option<Self> {
        let number = |block: Block| block.index(action).map(|number| number as u8);
        let card = |block: Block| number(block).and_then(Card::new);
        let only = |block: Block, it: Self| number(block).map(|_| it);
        let trump = || TRUMP.index(action).map(|named| Self::Trump(Trump::ALL[named]));
        card(PLAY)
            .map(Self::Play)
            .or_else(|| only(CALL, Self::Call))
            .or_else(|| card(DISCARD).map(Self::Discard))
            .or_else(|| card(ASK).map(Self::Ask))
            .or_else(|| only(SOLO, Self::Solo))
            .or_else(trump)
            .or_else(|| number(BID).and_then(Bid::new).map(Self::Bid))
            .or_else(|| only(PASS, Self::Pass))
            .or_else(|| only(HOLD, Self::Hold))
            .or_else(|| number(CLAIM).and_then(Claim::new).map(Self::Claim))
    }

    /// Returns whether all players see the move.
    const fn is_public(self) -> bool {
        match self {
            Self::Discard(_) => false,
            Self::Play(_) | Self::Call | Self::Ask(_) | Self::Solo | Self::Trump(_) => true,
            Self::Bid(_) | Self::Pass | Self::Hold | Self::Claim(_) => true,
        }
    }

    /// The move's action id.
    #[inline]
    pub const fn id(self) -> ActionId {
        match self {
            Self::Play(card) => PLAY.nth(card.number()),
            Self::Call => CALL.nth(0),
            Self::Discard(card) => DISCARD.nth(card.number()),
            Self::Ask(card) => ASK.nth(card.number()),
            Self::Solo => SOLO.nth(0),
            Self::Trump(trump) => TRUMP.nth(trump as usize),
            Self::Bid(bid) => BID.nth(bid.rung()),
            Self::Pass => PASS.nth(0),
            Self::Hold => HOLD.nth(0),
            Self::Claim(claim) => CLAIM.nth(claim.tens()),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(card) => write!(f, "{card}"),
            Self::Call => f.write_str("call"),
            Self::Discard(card) => write!(f, "discard {card}"),
            Self::Ask(card) => write!(f, "ask {card}"),
            Self::Solo => f.write_str("solo"),
            Self::Trump(trump) => write!(f, "trump {trump}"),
            Self::Bid(bid) => write!(f, "bid {bid}"),
            Self::Pass => f.write_str("pass"),
            Self::Hold => f.write_str("hold"),
            Self::Claim(claim) => write!(f, "claim {claim}"),
        }
    }
}

// The action mask and the labels of actions.

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
                legal.insert_run(ASK.offset, askable(table, view.own).0);
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

    fn label(_: Option<&PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

// Kinds of moves that characterize a player's style.

/// Names of the kinds, in the order of [`Habit`].
const HABITS: [&str; 16] = [
    "open the bidding",
    "hold",
    "bid higher",
    "pass",
    "bid a fixed contract",
    "bid the next rung",
    "name trump",
    "play without trump",
    "ask for a partner",
    "play alone",
    "call the asked card",
    "lead trump",
    "lead an ace",
    "trump a plain suit",
    "play a trump on a trick",
    "claim roem",
];

#[derive(Copy, Clone)]
enum Habit {
    Opens,
    Holds,
    Raises,
    Passes,
    BidsFixed,
    BidsNext,
    NamesTrump,
    GoesWithout,
    Asks,
    Alone,
    Calls,
    LeadsTrump,
    LeadsAce,
    Trumps,
    PlaysTrump,
    Claims,
}
use Habit::*;

impl Habits for Round {
    const HABITS: &'static [&'static str] = &HABITS;

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        let Some(chosen) = Move::of(action) else { return 0 };
        match chosen {
            Move::Bid(bid) => of_bid(view.table, bid),
            Move::Hold => bits([(Holds, true)]),
            Move::Pass => bits([(Passes, true)]),
            Move::Trump(trump) => {
                bits([(NamesTrump, trump != Trump::None), (GoesWithout, trump == Trump::None)])
            }
            Move::Ask(_) => bits([(Asks, true)]),
            Move::Solo => bits([(Alone, true)]),
            Move::Call => bits([(Calls, true)]),
            Move::Play(card) => of_card(view.table, card),
            Move::Claim(claim) => bits([(Claims, claim > Claim::NOTHING)]),
            Move::Discard(_) => 0,
        }
    }
}

fn bits<const N: usize>(kinds: [(Habit, bool); N]) -> u32 {
    kinds.into_iter().fold(0, |bits, (habit, is)| bits | u32::from(is) << habit as u32)
}

fn of_bid(table: &PublicState, bid: Bid) -> u32 {
    let next = table.high().map_or(0, |high| high.rung() + 1);
    bits([
        (Opens, table.stage == Stage::Opening),
        (Raises, table.stage == Stage::Auction),
        (BidsFixed, !matches!(bid.kind(), Kind::Points(_))),
        (BidsNext, bid.rung() == next),
    ])
}

fn of_card(table: &PublicState, card: Card) -> u32 {
    let trump = table.trump();
    let is_trump = trump.is(card.suit());
    match table.play.led() {
        None => bits([(LeadsTrump, is_trump), (LeadsAce, card.rank() == ACE)]),
        Some(led) => bits([(Trumps, is_trump && !trump.is(led.suit())), (PlaysTrump, is_trump)]),
    }
}
