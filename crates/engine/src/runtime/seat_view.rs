//! Views of any game, behind one type.

use std::any::Any;

use serde_json::Value;

use super::playout::{Playout, imagine};
use crate::base::blocks::width;
use crate::base::mask::Mask;
use crate::base::rng::DealRng;
use crate::base::{ActionId, Seat};
use crate::game::Scene;
use crate::game::{
    Actions, Character, Determinize, Foresee, Foresight, Game, Habits, Label, Narrate, Observe, OwnedView,
    Play, Scripted, View,
};

/// The view of one seat, in any game. It is small and `Copy`, like a reference. Bots, encodings and front ends see
/// nothing else.
#[derive(Copy, Clone)]
pub struct SeatView<'a> {
    seat: Seat,
    of: &'a dyn AnySource,
}

impl std::fmt::Debug for SeatView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SeatView").field("game", &self.game()).field("seat", &self.seat).finish()
    }
}

impl<'a> SeatView<'a> {
    /// The view that `seat`, which plays this round, has of `round`.
    pub fn of<G: Game>(round: &'a G, seat: Seat) -> Self {
        Self { seat, of: round }
    }

    /// A type-erased reference to an [`OwnedView`].
    pub fn alone<G: Game>(view: &'a OwnedView<G>) -> Self {
        Self { seat: view.seat, of: view }
    }

    /// The view with the types of game `G`; `None` for a view of another game.
    pub fn typed<G: Game>(self) -> Option<View<'a, G>> {
        let of = self.of.as_any();
        let alone = || of.downcast_ref::<OwnedView<G>>().map(OwnedView::view);
        of.downcast_ref::<G>().map(|round| round.view(self.seat)).or_else(alone)
    }
    /// The name of the game.
    pub fn game(self) -> &'static str {
        self.of.game()
    }
    /// The seat whose view it is.
    pub fn seat(self) -> Seat {
        self.seat
    }
    /// Cells of an observation row.
    pub fn cells(self) -> usize {
        self.of.cells()
    }
    /// 64-bit words of an action mask.
    pub fn words(self) -> usize {
        self.of.words()
    }
    /// Cells of a row in the earliest version of the encodings whose networks still work: the cells that all
    /// versions share.
    pub fn first_cells(self) -> usize {
        self.of.first_cells()
    }
    /// Writes the observation row, [`SeatView::cells`] cells.
    pub fn row(self, row: &mut [u8]) {
        self.of.row(self.seat, row);
    }
    /// Writes the action mask, [`SeatView::words`] words. Returns the number of legal actions: 0 if the seat has no
    /// decision.
    pub fn legal(self, words: &mut [u64]) -> usize {
        self.of.legal(self.seat, words)
    }
    /// Returns the action mask as a vector of words.
    pub fn legal_words(self) -> Vec<u64> {
        let mut words = vec![0; self.words()];
        self.legal(&mut words);
        words
    }
    /// The move of the game's scripted player. Call it only where the seat has a decision.
    pub fn scripted(self) -> ActionId {
        self.of.scripted(self.seat)
    }
    /// The move of the scripted player with a character. Call it only where the seat has a decision.
    pub fn character(self, character: Character) -> ActionId {
        self.of.character(self.seat, character)
    }
    /// Determinizes the view for search; `None` if no round fits it. The round is stored in `to`. If `to` holds a
    /// round of the same game, nothing is allocated.
    pub fn determinize(self, rng: DealRng, to: &mut Option<Box<dyn Playout>>) -> Option<&mut dyn Playout> {
        self.of.determinize(self.seat, rng, to)
    }
    /// Whether the decision belongs to an auction: see [`Determinize`](crate::game::Determinize).
    pub fn is_auction(self) -> bool {
        self.of.is_auction(self.seat)
    }
    /// How far the view determines the results of moves: see [`Foresee`](crate::game::Foresee). Call it only where
    /// the seat has a decision.
    pub fn foresight(self) -> Foresight {
        self.of.foresight(self.seat)
    }
    /// The kinds of moves that a legal action belongs to, one bit each: see [`Habits`](crate::game::Habits).
    pub fn habits(self, action: ActionId) -> u32 {
        self.of.habits(self.seat, action)
    }
    /// The label of an action, with the card names at the viewer's table.
    pub fn label(self, action: ActionId) -> String {
        self.of.label(self.seat, action)
    }
    /// The view as JSON, with the game's name and the version of the form: see [`OwnedView`].
    pub fn json(self) -> Value {
        self.of.json(self.seat)
    }
    /// Returns an owned copy of the view.
    pub fn kept(self) -> Box<dyn AnyView> {
        self.of.kept(self.seat)
    }
    /// The view as text with cards, for a person.
    pub fn picture(self) -> String {
        self.of.picture(self.seat)
    }
    /// The view part by part: see [`Narrate::scene`](crate::game::Narrate::scene).
    pub fn scene(self) -> Scene {
        self.of.scene(self.seat)
    }
    /// The viewer's cards: see [`Narrate::hand`](crate::game::Narrate::hand).
    pub fn hand(self) -> String {
        self.of.hand(self.seat)
    }
    /// Whether the viewer is another seat's partner: see [`Narrate::is_partner`](crate::game::Narrate::is_partner).
    pub fn is_partner(self) -> Option<bool> {
        self.of.is_partner(self.seat)
    }
}

/// An owned view of any game.
pub trait AnyView: Send + Sync {
    /// Returns the view with its game erased.
    fn view(&self) -> SeatView<'_>;
}

impl<G: Game> AnyView for OwnedView<G> {
    fn view(&self) -> SeatView<'_> {
        SeatView::alone(self)
    }
}

/// A source of views with its type erased: a round, or one owned view.
trait AnySource: Sync {
    fn as_any(&self) -> &dyn Any;
    fn game(&self) -> &'static str;
    fn cells(&self) -> usize;
    fn first_cells(&self) -> usize;
    fn words(&self) -> usize;
    fn row(&self, seat: Seat, row: &mut [u8]);
    fn legal(&self, seat: Seat, words: &mut [u64]) -> usize;
    fn scripted(&self, seat: Seat) -> ActionId;
    fn character(&self, seat: Seat, character: Character) -> ActionId;
    fn determinize<'p>(
        &self,
        seat: Seat,
        rng: DealRng,
        to: &'p mut Option<Box<dyn Playout>>,
    ) -> Option<&'p mut dyn Playout>;
    fn is_auction(&self, seat: Seat) -> bool;
    fn foresight(&self, seat: Seat) -> Foresight;
    fn habits(&self, seat: Seat, action: ActionId) -> u32;
    fn label(&self, seat: Seat, action: ActionId) -> String;
    fn json(&self, seat: Seat) -> Value;
    fn kept(&self, seat: Seat) -> Box<dyn AnyView>;
    fn picture(&self, seat: Seat) -> String;
    fn scene(&self, seat: Seat) -> Scene;
    fn hand(&self, seat: Seat) -> String;
    fn is_partner(&self, seat: Seat) -> Option<bool>;
}

/// A source of views of one game, from which [`AnySource`] is implemented.
trait Source: Sync + 'static {
    type Game: Game;

    fn view_of(&self, seat: Seat) -> View<'_, Self::Game>;
}

impl<G: Game> Source for G {
    type Game = G;

    fn view_of(&self, seat: Seat) -> View<'_, G> {
        self.view(seat)
    }
}

impl<G: Game> Source for OwnedView<G> {
    type Game = G;

    fn view_of(&self, _: Seat) -> View<'_, G> {
        self.view()
    }
}

impl<S: Source> AnySource for S {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn game(&self) -> &'static str {
        <S::Game as Play>::NAME
    }
    fn cells(&self) -> usize {
        width(<S::Game as Observe>::OBSERVATION)
    }
    fn first_cells(&self) -> usize {
        let earlier = <S::Game as Observe>::PREFIXES.iter().map(|prefix| prefix.cells);
        earlier.min().unwrap_or_else(|| AnySource::cells(self))
    }
    fn words(&self) -> usize {
        <S::Game as Actions>::Legal::WORDS
    }
    fn row(&self, seat: Seat, row: &mut [u8]) {
        <S::Game as Observe>::observe(self.view_of(seat), row);
    }
    fn legal(&self, seat: Seat, words: &mut [u64]) -> usize {
        let legal = <S::Game as Actions>::legal(self.view_of(seat));
        words.copy_from_slice(legal.words());
        legal.count()
    }
    fn scripted(&self, seat: Seat) -> ActionId {
        <S::Game as Scripted>::scripted(self.view_of(seat))
    }
    fn character(&self, seat: Seat, character: Character) -> ActionId {
        <S::Game as Scripted>::character(self.view_of(seat), character)
    }
    fn determinize<'p>(
        &self,
        seat: Seat,
        rng: DealRng,
        to: &'p mut Option<Box<dyn Playout>>,
    ) -> Option<&'p mut dyn Playout> {
        imagine(self.view_of(seat), rng, to)
    }
    fn is_auction(&self, seat: Seat) -> bool {
        <S::Game as Determinize>::is_auction(self.view_of(seat))
    }
    fn foresight(&self, seat: Seat) -> Foresight {
        <S::Game as Foresee>::foresight(self.view_of(seat))
    }
    fn habits(&self, seat: Seat, action: ActionId) -> u32 {
        <S::Game as Habits>::habits(self.view_of(seat), action)
    }
    fn label(&self, seat: Seat, action: ActionId) -> String {
        Label::<S::Game>::at(self.view_of(seat).table, action).to_string()
    }
    fn json(&self, seat: Seat) -> Value {
        // Views are plain data, so this cannot fail.
        serde_json::json!(self.view_of(seat).to_owned())
    }
    fn kept(&self, seat: Seat) -> Box<dyn AnyView> {
        Box::new(self.view_of(seat).to_owned())
    }
    fn picture(&self, seat: Seat) -> String {
        <S::Game as Narrate>::picture(self.view_of(seat))
    }
    fn scene(&self, seat: Seat) -> Scene {
        <S::Game as Narrate>::scene(self.view_of(seat))
    }
    fn hand(&self, seat: Seat) -> String {
        <S::Game as Narrate>::hand(self.view_of(seat))
    }
    fn is_partner(&self, seat: Seat) -> Option<bool> {
        <S::Game as Narrate>::is_partner(self.view_of(seat))
    }
}
