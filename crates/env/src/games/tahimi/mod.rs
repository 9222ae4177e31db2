//! # Tahimi
//!
//! A deck of ordinary cards (bigger ones for more players), all dealt out to 3–8 players seated by
//! rank. Get rid of your cards first to become the Tahimi, the highest, of the next round.
//!
//! 1. **Roster** ([`roster`]): players may leave and join between rounds.
//! 2. **Decree** ([`opening`]): as an option the Tahimi chooses variations for the round.
//! 3. **Deal** ([`opening`], [`deck`]): one card at a time from the Tahimi.
//! 4. **Taxes** ([`tax`]): the lowest ranks pay their highest cards; who receives them gives any cards
//!    back.
//! 5. **Play** ([`play`]): lead any set of one rank, or follow with as many cards of a higher rank,
//!    or pass. When all others have passed, the last player leads; if he has gone out, the highest
//!    player still in, or as an option the next one clockwise.
//! 6. **Score** ([`play`]): places in the order of going out are the next round's positions.

pub mod actions;
mod check;
pub mod deck;
mod follow;
mod habits;
mod narrate;
pub mod observation;
pub mod opening;
pub mod play;
mod redeal;
pub mod roster;
pub mod rules;
mod scripted;
pub mod table;
pub mod tax;
#[cfg(test)]
mod tests;
pub mod titles;
pub mod variant;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::blocks::Block;
use crate::game::{self, ActionId, Character, Game, MAX_SEATS, Payoff, Seat, Turn};
use crate::hands::Positions;
use crate::rng::{DealRng, Draw};
use deck::Ladder;
use rules::{Rules, Seating};
use table::{Ask, Own, Stage, Table};

/// What a seat may know.
pub type View<'a> = game::View<'a, Round>;

/// What one round hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Rounds played.
    pub rounds: u16,
    /// Players of the last round (before the first: of the first).
    pub players: u8,
    /// The seat at each position, the Tahimi first; 0 beyond the players.
    pub order: [Seat; MAX_SEATS],
    /// Points so far by seat, one for each player beaten in each round; 0 beyond the seats.
    pub points: [i32; MAX_SEATS],
    /// Rounds in which each seat went out first; 0 beyond the seats.
    pub tahimi: [u16; MAX_SEATS],
}

/// One round.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    table: Table,
    /// By position.
    own: [Own; MAX_SEATS],
    /// Who decides before the play, as a position.
    asking: u8,
    rng: DealRng,
}

impl Round {
    fn ask(&mut self, position: u8, ask: Ask) {
        self.asking = position;
        self.own[usize::from(position)].ask = ask;
    }

    fn players(&self) -> usize {
        usize::from(self.table.players)
    }
}

impl Game for Round {
    const NAME: &'static str = "tahimi";
    const TITLE: &'static str = "Tahimi";
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

    fn seating(rules: &Rules, draw: &mut Draw) -> Standing {
        let mut order = [Seat(0); MAX_SEATS];
        let players = &mut order[..usize::from(rules.players)];
        players.iter_mut().enumerate().for_each(|(p, seat)| *seat = Seat(p as u8));
        if rules.seating == Seating::Random {
            draw.shuffle(players);
        }
        Standing { rounds: 0, players: rules.players, order, points: [0; MAX_SEATS], tahimi: [0; MAX_SEATS] }
    }

    fn deal(rules: &Rules, standing: &Standing, rng: DealRng) -> Self {
        opening::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        self.table.present()
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.table.stage != Stage::Play {
            Turn::Decide(self.table.order[usize::from(self.asking)])
        } else if self.table.trick.is_over() {
            Turn::RoundOver
        } else {
            Turn::Decide(self.table.order[usize::from(self.table.trick.turn)])
        }
    }

    fn table(&self) -> &Table {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &Own {
        &self.own[usize::from(self.table.position[seat.index()])]
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
        if self.table.stage == Stage::Play {
            play::play(self, action);
            return;
        }
        match self.own[usize::from(self.asking)].ask {
            Ask::Decree => opening::play_decree(self, action),
            Ask::TaxJokers => tax::play_jokers(self, action),
            Ask::Return => tax::play_return(self, action),
            Ask::Nothing => {}
        }
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        play::settle(self, standing)
    }

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        habits::of(view, action)
    }

    fn phase(&self) -> &'static str {
        actions::phase(self)
    }

    fn label(table: Option<&Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        actions::label(table.map_or(Ladder::ALL, Table::ladder), action, f)
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
        narrate::describe_deal(self)
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
