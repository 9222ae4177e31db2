//! What everybody knows, and what one seat knows besides.

use serde::{Deserialize, Serialize};

use super::deck::{self, Cards, Ladder, RANKS};
use super::rules::Rules;
use super::variant::Variant;
use crate::games::climbing::{Customs, LeadAfterOut, Memory, Trick};
use crate::ground::hands::Positions;
use crate::ground::{MAX_SEATS, Seat};

/// The position of a seat that does not play.
pub const ABSENT: u8 = u8::MAX;

/// How far the round has come, as far as everybody can tell.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The Tahimi chooses what to decree; no cards are dealt yet.
    Decree,
    /// Taxes are under way.
    Taxes,
    /// Cards are being played, or have been.
    Play,
}

/// What everybody knows. Positions count from 0, the Tahimi; clockwise is ascending.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The rules of the session.
    pub rules: Rules,
    /// The options in force in this round.
    pub variant: Variant,
    /// Which entry of the menu was decreed, from 0.
    pub decree: Option<u8>,
    /// Number of players in this round.
    pub players: u8,
    /// The deck in play; none before the cards are dealt.
    #[serde(with = "deck::text")]
    pub deck: Cards,
    /// The number of the round in the session, from 1.
    pub round: u16,
    /// Whether it counts as a first round: it is the first, or all have drawn for new places.
    pub first: bool,
    /// Points of each seat before this round; 0 beyond the seats.
    pub points: [i32; MAX_SEATS],
    /// The seat at each position; 0 beyond the players.
    pub order: [Seat; MAX_SEATS],
    /// The position of each seat; 255 of those who do not play.
    pub position: [u8; MAX_SEATS],
    /// The seats that left just before this round.
    pub left: Positions,
    /// The seats that joined just before this round.
    pub joined: Positions,
    /// How far the round has come.
    pub stage: Stage,
    /// Cards each position holds (exchanges are even); 0 beyond the players.
    pub cards: [u8; MAX_SEATS],
    /// The positions that have announced their last card, by a play that left them with one.
    pub one_card: Positions,
    /// The course of play.
    pub trick: Trick,
    /// Cards played, and passes.
    pub memory: Memory<RANKS>,
}

impl Table {
    /// How this round is played.
    #[inline]
    pub fn customs(&self) -> Customs {
        let lead_after_out =
            if self.variant.rank_privilege { LeadAfterOut::HighestRank } else { LeadAfterOut::NextClockwise };
        Customs { lead_after_out, pass_on_lead: self.rules.pass_on_lead }
    }

    /// The ranks of the deck in play and their names.
    pub fn ladder(&self) -> Ladder {
        Ladder::of(&self.variant, self.players)
    }

    /// Whether taxes are due, or were paid, in this round.
    #[inline]
    pub fn taxes(&self) -> bool {
        self.rules.first_round_tax || !self.first
    }

    /// Cards the player at this position holds.
    #[inline]
    pub fn held(&self, position: u8) -> u8 {
        self.cards[usize::from(position)]
    }

    /// The seats that play.
    pub fn present(&self) -> Positions {
        let mut seats = Positions(0);
        self.order[..usize::from(self.players)].iter().for_each(|seat| seats.insert(seat.0));
        seats
    }
}

/// What one player is asked to decide before the play.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Nothing. (During the play the table tells whose turn it is.)
    Nothing,
    /// What to decree.
    Decree,
    /// How many jokers to pay in taxes.
    TaxJokers,
    /// A card to give back for the taxes received.
    Return,
}

/// What one seat knows besides the table. Each begins a line of the cache: a hand on two of them takes longer to read.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(align(64))]
#[serde(deny_unknown_fields)]
pub struct Own {
    /// The cards in hand.
    #[serde(with = "deck::text")]
    pub hand: Cards,
    /// Cards given in taxes, or picked for it; until they move they are still in hand.
    #[serde(with = "deck::text")]
    pub given: Cards,
    /// Cards received in taxes.
    #[serde(with = "deck::text")]
    pub received: Cards,
    /// The position they are exchanged with.
    pub partner: Option<u8>,
    /// The decision that is due.
    pub ask: Ask,
}

impl Own {
    /// A dealt hand.
    pub fn dealt(hand: Cards) -> Self {
        Self { hand, given: Cards::NONE, received: Cards::NONE, partner: None, ask: Ask::Nothing }
    }
}
