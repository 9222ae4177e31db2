//! # TAKI
//!
//! 116 cards in four colors and some without a color; 2–10 players. Match the color or the symbol of
//! the card on top; who lays his last card first wins.
//!
//! 1. **Deal** ([`opening`]): 8 cards each (in a tournament as many as there are stages). A colored
//!    card is turned up; its action does not count.
//! 2. **Turn** ([`turn`]): play a card that matches, or a colorless one, or draw one. Stop skips a
//!    player, +2 cards pile up a debt, Change Direction turns around, Plus asks for another card,
//!    a King cancels everything and lets any card follow.
//! 3. **TAKI** ([`run`]): all cards of its color may follow; only the last one acts. One that is left
//!    open may be gone on with by the next player.
//! 4. **+3** ([`window`]): all others draw three, unless one of them breaks it, or the next one
//!    cancels it with a King.
//! 5. **Last card** ([`last_card`]): it is announced, or costs cards.
//! 6. **Drawing** ([`pile`]): the discards become the draw pile again.
//! 7. **The end** ([`ending`]): an empty hand wins, or finishes a stage of the tournament.

pub mod actions;
mod check;
pub mod deck;
pub mod endgame;
pub mod ending;
mod habits;
pub mod last_card;
pub mod memory;
mod narrate;
pub mod observation;
pub mod opening;
pub mod pile;
mod redeal;
pub mod rules;
pub mod run;
mod scripted;
pub mod table;
#[cfg(test)]
mod tests;
pub mod turn;
pub mod window;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::blocks::Block;
use crate::enumerate::{Deal, EnumerateError};
use crate::game::{self, ActionId, Character, Game, MAX_SEATS, Payoff, Seat, Turn};
use crate::hands::Positions;
use crate::rng::{DealRng, Draw};
use deck::{Card, DECK};
use endgame::Endgame;
use pile::DrawLog;
use rules::Rules;
use table::{Own, SEATS, Stage, Table};

/// What a seat may know.
pub type View<'a> = game::View<'a, Round>;

/// What one game hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Games played.
    pub games: u16,
    /// Games won by each seat.
    pub wins: [i32; MAX_SEATS],
}

/// One game, or one tournament.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    table: Table,
    /// By seat.
    own: [Own; SEATS],
    /// Who is asked about a +3; seat 0 while nobody is.
    asked: Seat,
    /// The draw pile, `table.pile` cards, the top one last. Behind it the cards that were drawn.
    pile: [Card; DECK],
    log: DrawLog,
    rng: DealRng,
}

impl Game for Round {
    const NAME: &'static str = "taki";
    const TITLE: &'static str = "TAKI";
    const ENCODING: u32 = 1;
    const ACTIONS: &'static [Block] = actions::ACTIONS;
    const OBSERVATION: &'static [Block] = observation::OBSERVATION;
    const HIDDEN: &'static [Block] = observation::HIDDEN;
    const HABITS: &'static [&'static str] = &habits::HABITS;

    type Rules = Rules;
    type Standing = Standing;
    type Table = Table;
    type Own = Own;
    type Legal = actions::Legal;

    fn seating(_: &Rules, _: &mut Draw) -> Standing {
        ending::FRESH
    }

    fn deal(rules: &Rules, standing: &Standing, rng: DealRng) -> Self {
        opening::deal(rules, standing, rng)
    }

    fn endgame(rules: &Rules, cards: &Value) -> Result<Vec<Deal<Self>>, EnumerateError> {
        let told =
            Endgame::deserialize(cards).map_err(|source| EnumerateError::Endgame(source.to_string()))?;
        told.deals(rules).map_err(|refused| EnumerateError::Endgame(refused.to_string()))
    }

    fn present(&self) -> Positions {
        Positions::first(self.table.players())
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.table.stage {
            Stage::Turn | Stage::Run | Stage::Free | Stage::Owe => Turn::Decide(self.table.turn),
            Stage::Window => Turn::Decide(self.asked),
            Stage::LastCard { seat, .. } => Turn::Decide(seat),
            Stage::Catch { asked, .. } => Turn::Decide(asked),
            Stage::Over(_) => Turn::RoundOver,
        }
    }

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
        actions::is_legal(view, action)
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
        self.log.clear();
        self.table.decisions += u32::from(actions::is_public(action));
        match self.table.stage {
            Stage::Turn | Stage::Free | Stage::Owe => turn::play(self, action),
            Stage::Run => run::play(self, action),
            Stage::Window => window::play(self, action),
            Stage::LastCard { seat, next } => last_card::play_last_card(self, seat, next, action),
            Stage::Catch { silent, asked, next } => {
                last_card::play_catch(self, [silent, asked], next, action);
            }
            Stage::Over(_) => {}
        }
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        ending::settle(self, standing)
    }

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        habits::of(view, action)
    }

    fn phase(&self) -> &'static str {
        actions::phase(self)
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
