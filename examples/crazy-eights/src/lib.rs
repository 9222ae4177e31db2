//! # Crazy Eights
//!
//! As OpenSpiel plays it, in a crate of its own: what a game outside of `cardsharp` looks like.
//!
//! 1. **Deal** ([`round`]): 52 cards, two decks for more than five players; 5 cards each, 7 for two. A card other
//!    than an eight is turned up beside the draw pile. Who sits after the dealer begins.
//! 2. **Turn** ([`actions`]): lay a card of the suit or the rank on top, or an eight on anything and name
//!    the suit to follow; or draw one card, up to five in a turn, also with a card that fits. Who has drawn
//!    them, or finds the draw pile used up, may pass.
//! 3. **Special cards** (an option): a two makes the next player draw two cards, who may lay a two instead, so that
//!    the one after him owes four; a queen skips a player, an ace changes the direction.
//! 4. **Draw pile**: when it is used up everybody lays or passes; by another option the discards
//!    under the top card become the draw pile.
//! 5. **The end**: somebody has laid all cards, or 100 cards were laid, or everybody has passed and one more.
//!    Cards in hand cost points: an eight 50, jack to ace 10, others what [`rules::Scoring`] says.

pub mod actions;
pub mod cards;
mod check;
mod habits;
mod narrate;
pub mod observation;
mod redeal;
pub mod round;
pub mod rules;
mod scripted;
pub mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::marker::PhantomData;

use cardsharp_env::games::{Erased, ViewError};
use cardsharp_env::hands::Positions;
use cardsharp_env::{ActionId, AnyGame, Block, Character, DealRng, Draw, Game, Payoff, Seat, Turn};

pub use round::{Round, Standing};
pub use rules::Rules;
use table::{Own, Table};

/// What a seat may know.
pub type View<'a> = cardsharp_env::View<'a, Round>;

/// The game, for a list of games.
pub static CRAZY_EIGHTS: &dyn AnyGame = &Erased::<Round>(PhantomData);

impl Game for Round {
    const NAME: &'static str = "crazy_eights";
    const TITLE: &'static str = "Crazy Eights";
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
        Standing::FRESH
    }

    fn deal(rules: &Rules, standing: &Standing, rng: DealRng) -> Self {
        Self::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        Positions::first(self.table.rules.players)
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn()
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
        let dealt = redeal::redeal(view, rng);
        debug_assert!(dealt.is_some(), "no deal leads to this view: {:?}", view.to_owned());
        dealt.unwrap_or_else(|| Self::deal(&view.table.rules, &Standing::FRESH, rng))
    }

    #[inline]
    fn play(&mut self, action: ActionId) {
        self.play(action);
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
        self.settle(standing)
    }

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        habits::of(view, action)
    }

    fn phase(&self) -> &'static str {
        actions::phase(self.table.stage)
    }

    fn label(_: Option<&Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        actions::label(action, f)
    }

    fn is_public(_: ActionId) -> bool {
        true
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

    fn check_view(view: View<'_>) -> Result<(), ViewError> {
        check::check_view(view)
    }

    fn audit(&self) -> Result<(), String> {
        check::audit(self)
    }

    fn picture(view: View<'_>) -> String {
        narrate::picture(view)
    }
}
