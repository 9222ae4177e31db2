//! The moves and their 212 action ids.

use std::fmt;

use cardsharp_engine::ActionId;
use cardsharp_engine::blocks;
use cardsharp_engine::blocks::Block;

use super::deck::{CARDS, Card, Trump};
use super::ladder::{Bid, RUNGS};
use super::roem::{CLAIMS, Claim};

blocks! {
    /// All actions.
    pub(super) ACTIONS {
        /// Cards to play.
        PLAY: "play", CARDS, 1, "Play a card: S7..SA, H6..HA, D7..DA, C7..CA, in this order here and below.";
        /// Calling.
        CALL: "call", 1, 1, "Call the asked card, before leading a card of its suit.";
        /// Cards to put aside.
        pub(super) DISCARD: "discard", CARDS, 1, "Put a card aside.";
        /// Cards to ask for.
        pub(super) ASK: "ask", CARDS, 1, "Ask for a card: its holder is the partner.";
        /// Playing alone.
        SOLO: "solo", 1, 1, "Play alone.";
        /// Trumps.
        pub(super) TRUMP: "trump", 5, 1, "Name trump: spades, hearts, diamonds, clubs; or play without.";
        /// Bids, the first one too.
        pub(super) BID: "bid",
    RUNGS,
    1,
    "Bid: 80 to 150, misere, 160 to 190, zwabber, 200, 210, ouverte, 220 to 710, praatje, prive, praatje uit de hand, \
         prive uit de hand.";
        /// Passing.
        PASS: "pass", 1, 1, "Pass, for the rest of the auction.";
        /// Holding.
        HOLD: "hold", 1, 1, "Hold: do not open.";
        /// Roem to claim.
        pub(super) CLAIM: "claim", CLAIMS, 1, "Claim roem: 0, 10, …, 320.";
    }
}

/// A move. In text, the action's label: `SJ`, `ask HA`, `bid 80`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Plays a card.
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
    /// Does not open.
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
    pub(super) const fn is_public(self) -> bool {
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
