//! Type-erased rounds for search: determinized from one seat's view, played and undone.

use std::any::Any;

use super::seat_view::SeatView;
use crate::base::blocks::width;
use crate::base::hands::Positions;
use crate::base::mask::Mask;
use crate::base::rng::{DealRng, Draw};
use crate::base::{ActionId, Seat};
use crate::game::{Aim, Game, Key, Payoff, Purpose, Turn, View};

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
    fn purpose(&self) -> Option<Purpose>;
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
pub(super) fn imagine<'p, G: Game>(
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
    fn purpose(&self) -> Option<Purpose> {
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
