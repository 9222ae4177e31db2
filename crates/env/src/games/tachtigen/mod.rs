//! # Tachtigen
//!
//! Four players, 33 cards: 7 to ace of four suits and the six of hearts. The highest bidder, often with
//! a partner whom nobody knows yet, must make what he bid, in tricks and in roem.
//!
//! 1. **Deal and opening** (`auction`): eight cards each, one in the middle. One after the other the
//!    players open with a bid, or hold.
//! 2. **Auction** (`auction`, [`ladder`]): clockwise, higher or out. From 80 points up, with misère,
//!    zwabber, ouverte, praatje and privé between and above.
//! 3. **Kitty, trump, asking** (`contract`): the bidder takes the card from the middle, puts one
//!    aside, names trump, and in a points contract asks for a card whose holder is his secret partner,
//!    or plays alone. From the hand the kitty stays where it is.
//! 4. **Play** (`follow`, `play`): eight tricks. Follow suit or trump; who cannot follow must
//!    trump, higher than the trumps in the trick. A lone trump jack may be kept twice when trump is led.
//!    The bidder may call the asked card when he leads its suit. Roem ([`roem`]) is announced with
//!    the bidder's first card and with the asked card.
//! 5. **Score** ([`score`]): rounded points, roem and bonus against the bid; fixed contracts win or
//!    lose what they are worth.

pub mod actions;
mod auction;
mod check;
mod contract;
pub mod deck;
mod follow;
mod habits;
pub mod ladder;
mod narrate;
pub mod observation;
mod play;
mod redeal;
pub mod roem;
pub mod rules;
pub mod score;
mod scripted;
pub mod table;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::blocks::Block;
use crate::game::{self, ActionId, Character, Contract, Game, Payoff, Seat, Turn};
use crate::hands::Positions;
use crate::rng::{DealRng, Draw};
use deck::Card;
use rules::{PLAYERS, Rules};
use table::{Each, Own, SEATS, Stage, Table};

/// What a seat may know.
pub type View<'a> = game::View<'a, Round>;

/// What one deal hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Deals played.
    pub deals: u16,
    /// Who deals next.
    pub dealer: Seat,
    /// Points so far by seat.
    pub scores: Each<i32>,
}

/// One deal.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    table: Table,
    own: Each<Own>,
    /// The card that was dealt to the middle.
    kitty: Card,
    rng: DealRng,
}

impl Game for Round {
    const NAME: &'static str = "tachtigen";
    const TITLE: &'static str = "Tachtigen";
    const ENCODING: u32 = 1;
    const ACTIONS: &'static [Block] = actions::ACTIONS;
    const OBSERVATION: &'static [Block] = observation::OBSERVATION;
    const HIDDEN: &'static [Block] = observation::HIDDEN;
    const CONTRACTS: &'static [&'static str] = &ladder::CONTRACTS;
    const HABITS: &'static [&'static str] = &habits::HABITS;

    type Rules = Rules;
    type Standing = Standing;
    type Table = Table;
    type Own = Own;
    type Legal = actions::Legal;

    fn seating(_: &Rules, draw: &mut Draw) -> Standing {
        Standing { deals: 0, dealer: Seat(draw.below(u32::from(PLAYERS)) as u8), scores: [0; SEATS] }
    }

    fn deal(rules: &Rules, standing: &Standing, rng: DealRng) -> Self {
        auction::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        Positions::first(PLAYERS)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.table.stage == Stage::Over { Turn::RoundOver } else { Turn::Decide(self.table.turn) }
    }

    #[inline]
    fn table(&self) -> &Table {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &Own {
        &self.own[seat.index()]
    }

    #[inline]
    fn legal(view: View<'_>) -> actions::Legal {
        actions::legal(view)
    }

    fn is_legal(view: View<'_>, action: ActionId) -> bool {
        words::is_legal(view, action)
    }

    #[inline]
    fn observe(view: View<'_>, row: &mut [u8]) {
        observation::observe(view, row);
    }

    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        observation::reveal(self, seat, row);
    }

    fn redeal(view: View<'_>, rng: DealRng) -> Self {
        redeal::redeal(view, rng)
    }

    #[inline]
    fn play(&mut self, action: ActionId) {
        actions::apply(self, action);
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        score::settle(self, standing)
    }

    fn contract(&self) -> Option<Contract> {
        let (seat, kind) = (self.table.bidder()?, self.table.contract()?.number());
        score::outcome(self).map(|outcome| Contract { seat, kind, made: outcome.made })
    }

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        habits::of(view, action)
    }

    fn phase(&self) -> &'static str {
        actions::phase(&self.table)
    }

    fn label(_: Option<&Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        actions::label(action, f)
    }

    fn is_public(action: ActionId) -> bool {
        actions::is_public(action)
    }

    fn scripted(view: View<'_>) -> ActionId {
        scripted::choose(view)
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        scripted::choose_as(view, character)
    }

    fn describe_deal(&self) -> Option<serde_json::Value> {
        Some(narrate::describe_deal(self))
    }

    fn events(before: Option<&Self>, after: &Self) -> Vec<serde_json::Value> {
        narrate::events(before, after)
    }

    fn check_view(view: View<'_>) -> Result<(), crate::games::ViewError> {
        check::check_view(view)
    }

    fn audit(&self) -> Result<(), String> {
        check::audit(self)
    }

    fn picture(view: View<'_>) -> String {
        narrate::picture(view)
    }
}
