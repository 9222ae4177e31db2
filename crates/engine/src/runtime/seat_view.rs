//! Views of any game, behind one type, and the rounds that search plays: determinized from a view.

use std::any::Any;

use serde_json::Value;

use crate::base::blocks::width;
use crate::base::hands::Positions;
use crate::base::mask::Mask;
use crate::base::rng::{DealRng, Draw};
use crate::base::{ActionId, Seat};
use crate::game::{
    Actions, Aim, Character, Determinize, Foresee, Foresight, Game, Habits, Key, Label, MovePurpose, Narrate,
    Observe, OwnedView, Payoff, Play, Scene, Scripted, Turn, View,
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

// Rounds for search: determinized from one seat's view, played and undone.

/// A determinized round of any game: it could be the round that the seat is playing. Everything in it comes from
/// the seat's [`View`], and nothing from the real round.
pub trait Playout: Any + Send {
    /// Returns to the position at which it was dealt.
    fn rewind(&mut self);
    /// The seat that must act; `None` when the round is over.
    fn turn(&self) -> Option<Seat>;
    /// The view of a seat in this round; `None` if the seat sits it out.
    fn view(&self, seat: Seat) -> Option<SeatView<'_>>;
    /// Writes the action mask of the seat that must act. Returns the number of legal actions, 0 when the round is
    /// over.
    fn legal(&self, words: &mut [u64]) -> usize;
    /// Cells of an observation row.
    fn cells(&self) -> usize;
    /// Writes the observation row of the seat that must act, [`Playout::cells`] cells. Writes nothing when the
    /// round is over.
    fn row(&self, row: &mut [u8]);
    /// Writes what a seat cannot see, in the cells of [`AnyGame::hidden`](crate::AnyGame::hidden). In a playout it
    /// is imagined.
    fn reveal(&self, seat: Seat, row: &mut [u8]);
    /// The scripted player's move for the seat that must act; id 0 when the round is over.
    fn scripted(&self) -> ActionId;
    /// Whether everyone at the table sees this action.
    fn is_public(&self, action: ActionId) -> bool;
    /// Plays an action of the seat that must act. It does not check that the action is legal.
    fn play(&mut self, action: ActionId);
    /// Plays an action as [`Playout::play`] does, and remembers the position before it. Returns whether the seat of
    /// the view could foresee the result ([`Foresee::is_foreseen`](crate::game::Foresee::is_foreseen)).
    fn step(&mut self, action: ActionId) -> bool;
    /// Undoes the last [`Playout::step`] that was not undone. Does nothing if there is none.
    fn back(&mut self);
    /// The packed position: [`Foresee::key`](crate::game::Foresee::key).
    fn key(&self) -> Option<Key>;
    /// Removes legal actions that are worth the same as a remaining one:
    /// [`Foresee::thin`](crate::game::Foresee::thin).
    fn thin(&self, legal: &mut [u64]);
    /// The seats with the same interest as a seat: [`Foresee::side`](crate::game::Foresee::side).
    fn side(&self, seat: Seat) -> Positions;
    /// Bounds of the reward that a seat can still get: [`Foresee::stakes`](crate::game::Foresee::stakes).
    fn stakes(&self, seat: Seat) -> [f32; 2];
    /// The aim of moves in the dealt position: [`Narrate::purpose`](crate::game::Narrate::purpose).
    fn purpose(&self) -> Option<MovePurpose>;
    /// Whether the move that `seat` made in that position reached the aim:
    /// [`Narrate::aim`](crate::game::Narrate::aim).
    fn aim(&self, seat: Seat) -> Aim;
    /// Plays to the end of the round with the scripted player in all seats; returns the number of moves.
    fn finish(&mut self) -> u32;
    /// The payoff of the finished round.
    fn payoff(&self) -> Payoff;
}

/// The [`Playout`] of game `G`.
struct Imagined<G: Game> {
    /// The seat of the view.
    viewer: Seat,
    dealt: G,
    now: G,
    /// The positions before the steps that were not undone.
    before: Vec<G>,
    /// Rounds are settled into it, but nothing reads it: payoffs depend on the round alone.
    standing: G::SessionState,
}

/// Determinizes `view` and stores the round in `to`; `None` if no round fits the view. If `to` holds a round of the
/// same game, its memory is used again.
fn imagine<'p, G: Game>(
    view: View<'_, G>,
    rng: DealRng,
    to: &'p mut Option<Box<dyn Playout>>,
) -> Option<&'p mut dyn Playout> {
    let dealt = G::determinize(view, rng)?;
    let mut held = to.take().filter(|held| {
        let held: &dyn Any = held.as_ref();
        held.is::<Imagined<G>>()
    });
    if let Some(old) = held.as_deref_mut().and_then(|old| (old as &mut dyn Any).downcast_mut::<Imagined<G>>())
    {
        (old.viewer, old.dealt, old.now) = (view.seat, dealt, dealt);
        old.before.clear();
    }
    let new = || {
        let standing = G::seating(&G::Rules::default(), &mut Draw::new(0, 0));
        let viewer = view.seat;
        Box::new(Imagined { viewer, dealt, now: dealt, before: Vec::new(), standing }) as Box<dyn Playout>
    };
    Some(to.insert(held.unwrap_or_else(new)).as_mut())
}

impl<G: Game> Imagined<G> {
    fn asked(&self) -> Option<View<'_, G>> {
        match self.now.turn() {
            Turn::Decide(seat) => Some(self.now.view(seat)),
            Turn::RoundOver => None,
        }
    }
}

impl<G: Game> Playout for Imagined<G> {
    fn rewind(&mut self) {
        self.now = self.dealt;
        self.before.clear();
    }
    fn turn(&self) -> Option<Seat> {
        self.asked().map(|view| view.seat)
    }
    fn view(&self, seat: Seat) -> Option<SeatView<'_>> {
        self.now.present().has(seat.0).then(|| SeatView::of(&self.now, seat))
    }
    fn legal(&self, words: &mut [u64]) -> usize {
        self.asked().map_or(0, |view| {
            let legal = G::legal(view);
            words.copy_from_slice(legal.words());
            legal.count()
        })
    }
    fn cells(&self) -> usize {
        width(G::OBSERVATION)
    }
    fn row(&self, row: &mut [u8]) {
        if let Some(view) = self.asked() {
            G::observe(view, row);
        }
    }
    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        self.now.reveal(seat, row);
    }
    fn scripted(&self) -> ActionId {
        self.asked().map(G::scripted).unwrap_or_default()
    }
    fn is_public(&self, action: ActionId) -> bool {
        G::is_public(action)
    }
    // One copy for `play` and `step`: the rules of a game are many bytes, which browsers would download twice.
    #[inline(never)]
    fn play(&mut self, action: ActionId) {
        self.now.play(action);
    }
    fn step(&mut self, action: ActionId) -> bool {
        if self.now.turn() == Turn::RoundOver {
            return false;
        }
        let before = self.now;
        Playout::play(self, action);
        let foreseen = self.now.is_foreseen(&before, self.viewer);
        self.before.push(before);
        foreseen
    }
    fn back(&mut self) {
        if let Some(before) = self.before.pop() {
            self.now = before;
        }
    }
    fn key(&self) -> Option<Key> {
        self.now.key()
    }
    fn thin(&self, legal: &mut [u64]) {
        self.now.thin(legal);
    }
    fn side(&self, seat: Seat) -> Positions {
        self.now.side(seat)
    }
    fn stakes(&self, seat: Seat) -> [f32; 2] {
        self.now.stakes(seat)
    }
    fn purpose(&self) -> Option<MovePurpose> {
        self.dealt.purpose()
    }
    fn aim(&self, seat: Seat) -> Aim {
        self.now.aim(&self.dealt, seat)
    }
    fn finish(&mut self) -> u32 {
        let mut moves = 0;
        while let Some(view) = self.asked() {
            let action = G::scripted(view);
            self.now.play(action);
            moves += 1;
        }
        moves
    }
    fn payoff(&self) -> Payoff {
        let mut standing = self.standing;
        self.now.settle(&mut standing)
    }
}
