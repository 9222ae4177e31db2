//! Rounds of any game for search: dealt as one seat's view allows, tried out, taken back.

use std::any::Any;

use super::seat_view::SeatView;
use crate::game::{Aim, Game, Key, Payoff, Turn, View};
use crate::ground::blocks::width;
use crate::ground::hands::Positions;
use crate::ground::mask::Mask;
use crate::ground::rng::{DealRng, Draw};
use crate::ground::{ActionId, Seat};

/// A round that could be the one a seat is playing, without its types. It knows what it was dealt, not
/// what the real round was: all of it comes from a [`View`].
pub trait Playout: Any + Send {
    /// Goes back to the position it was dealt at.
    fn rewind(&mut self);
    /// Who must act, or none when the round is over.
    fn turn(&self) -> Option<Seat>;
    /// What a seat would know in this round; none of one that sits it out.
    fn view(&self, seat: Seat) -> Option<SeatView<'_>>;
    /// Writes the legal actions of the seat that must act; returns how many there are, 0 when the
    /// round is over.
    fn legal(&self, words: &mut [u64]) -> usize;
    /// Cells of an observation row.
    fn cells(&self) -> usize;
    /// Writes the observation row of the seat that must act, [`Playout::cells`] of them; nothing when the round is over.
    fn row(&self, row: &mut [u8]);
    /// Writes what a seat cannot see, as the cells of [`AnyGame::hidden`](crate::AnyGame::hidden) say: here it is imagined.
    fn reveal(&self, seat: Seat, row: &mut [u8]);
    /// The move of the built-in player at the seat that must act; id 0 when the round is over.
    fn scripted(&self) -> ActionId;
    /// Whether everybody at the table sees this action when it is chosen.
    fn is_public(&self, action: ActionId) -> bool;
    /// Plays an action of the seat that must act. Trusts that it is legal.
    fn play(&mut self, action: ActionId);
    /// Plays an action as [`Playout::play`] does, and remembers the position before it; says whether the seat that must
    /// act knew that this would come of it ([`Certain::is_foreseen`](crate::game::Certain::is_foreseen)).
    fn step(&mut self, action: ActionId) -> bool;
    /// Goes back to the position before the last [`Playout::step`] that was not taken back. Nothing without one.
    fn back(&mut self);
    /// The position as numbers: [`Certain::key`](crate::game::Certain::key).
    fn key(&self) -> Option<Key>;
    /// Leaves out legal actions that are worth what one that stays is: [`Certain::thin`](crate::game::Certain::thin).
    fn thin(&self, legal: &mut [u64]);
    /// The seats on whose side a seat is: [`Certain::side`](crate::game::Certain::side).
    fn side(&self, seat: Seat) -> Positions;
    /// The least and the greatest reward that a seat can still have: [`Certain::stakes`](crate::game::Certain::stakes).
    fn stakes(&self, seat: Seat) -> [f32; 2];
    /// What moves are played for where this was dealt: [`Narrate::purpose`](crate::game::Narrate::purpose).
    fn purpose(&self) -> Option<&'static str>;
    /// Whether the move that `seat` made there reached it: [`Narrate::aim`](crate::game::Narrate::aim).
    fn aim(&self, seat: Seat) -> Aim;
    /// Plays to the end of the round with the built-in player in all seats; returns the number of moves.
    fn finish(&mut self) -> u32;
    /// What the finished round is worth.
    fn payoff(&self) -> Payoff;
}

/// The [`Playout`] of game `G`.
struct Imagined<G: Game> {
    dealt: G,
    now: G,
    /// The positions before the steps that were not taken back.
    before: Vec<G>,
    /// Rounds are settled into it and nothing is read from it: what a round is worth depends on the
    /// round alone.
    standing: G::Standing,
}

/// A round drawn at random among those `view` allows, into `to`: in the place of the round that is there
/// if it is one of this game, so that nothing is allocated, and in a new box otherwise. None if the view
/// allows no round.
pub(super) fn imagine<'p, G: Game>(
    view: View<'_, G>,
    rng: DealRng,
    to: &'p mut Option<Box<dyn Playout>>,
) -> Option<&'p mut dyn Playout> {
    let dealt = G::redeal(view, rng)?;
    let mut held = to.take().filter(|held| {
        let held: &dyn Any = held.as_ref();
        held.is::<Imagined<G>>()
    });
    if let Some(old) = held.as_deref_mut().and_then(|old| (old as &mut dyn Any).downcast_mut::<Imagined<G>>())
    {
        (old.dealt, old.now) = (dealt, dealt);
        old.before.clear();
    }
    let new = || {
        let standing = G::seating(&G::Rules::default(), &mut Draw::new(0, 0));
        Box::new(Imagined { dealt, now: dealt, before: Vec::new(), standing }) as Box<dyn Playout>
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
    // Once for both who play: the rules of a game are many bytes, which browsers would have to fetch twice.
    #[inline(never)]
    fn play(&mut self, action: ActionId) {
        self.now.play(action);
    }
    fn step(&mut self, action: ActionId) -> bool {
        let Turn::Decide(seat) = self.now.turn() else { return false };
        let before = self.now;
        Playout::play(self, action);
        let foreseen = self.now.is_foreseen(&before, seat);
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
    fn purpose(&self) -> Option<&'static str> {
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

#[cfg(test)]
mod tests {
    use super::Playout;
    use crate::any::AnyGame;
    use crate::drive::batch::{BatchOptions, LaneState};
    use crate::drive::seat_view::SeatView;
    use crate::games::{GAMES, played};
    use crate::ground::rng::{DealRng, derive};

    /// Plays a lane on by the built-in player, `moves` decisions from the start of a session, or as far as
    /// that goes; then to the next decision, of the same session again if it is over.
    fn at(game: &dyn AnyGame, seed: u64, moves: usize, look: &mut dyn FnMut(SeatView<'_>, &[u8])) {
        let options = BatchOptions { lanes: 1, skip_forced: true, rows: true, reveal: false };
        let mut env = game.default_rules().batch(options);
        let mut batch = env.batch();
        env.start(0, 0, seed, &mut batch);
        for _ in 0..moves {
            let pick = env.view(0).map(SeatView::scripted).unwrap_or_default();
            env.step(&[pick], &mut batch);
        }
        while batch.state[0] != LaneState::Decide {
            match batch.state[0] {
                LaneState::Idle => env.start(0, 0, seed, &mut batch),
                _ => env.step(&[Default::default()], &mut batch),
            }
        }
        let row = batch.row.row(0).to_vec();
        look(env.view(0).unwrap(), &row);
    }

    #[test]
    fn imagined_rounds_look_alike_to_the_viewer_play_on_and_rewind() {
        let (mut held, mut differ) = (None, 0);
        for game in GAMES {
            let mut words = [vec![0; game.words()], vec![0; game.words()]];
            for moves in [0, 5, 20] {
                at(*game, 3, moves, &mut |view, row| {
                    let mut worth = Vec::new();
                    for n in 0..20 {
                        let round = view.redeal(DealRng::new(derive(7, &[n]), 0), &mut held).unwrap();
                        let mut seen = vec![0; row.len()];
                        round.row(&mut seen);
                        assert_eq!((round.turn(), seen.as_slice()), (Some(view.seat()), row));
                        let own = round.view(view.seat()).unwrap();
                        assert_eq!(own.json(), view.json(), "its view of the viewer's seat is the viewer's");
                        assert_eq!(round.legal(&mut words[0]), view.legal(&mut words[1]));
                        assert_eq!((&words[0], round.scripted()), (&words[1], view.scripted()));
                        assert!(round.finish() > 0 && round.turn().is_none());
                        assert_eq!(round.legal(&mut words[0]), 0);
                        let payoff = round.payoff();
                        round.rewind();
                        let mut again = vec![0; row.len()];
                        round.row(&mut again);
                        assert_eq!(again, seen);
                        round.play(round.scripted());
                        round.finish();
                        assert_eq!(round.payoff(), payoff, "the same moves are worth the same");
                        worth.push(payoff);
                    }
                    differ += usize::from(worth.iter().any(|payoff| payoff != &worth[0]));
                });
            }
        }
        assert!(differ > GAMES.len(), "deals differ: {differ}");
    }

    #[test]
    fn a_round_is_worth_what_its_session_pays() {
        // In poker the cards that nobody has seen decide even after the last move.
        for game in played() {
            let options = BatchOptions { lanes: 1, skip_forced: false, rows: true, reveal: false };
            let mut env = game.default_rules().batch(options);
            let (mut batch, mut held) = (env.batch(), None::<Box<dyn Playout>>);
            env.start(0, 0, 11, &mut batch);
            let mut last = None;
            let mut rounds = 0;
            while batch.state[0] != LaneState::Idle && rounds < 5 {
                let mut pick = Default::default();
                match batch.state[0] {
                    LaneState::Decide => {
                        let view = env.view(0).unwrap();
                        pick = view.scripted();
                        let round = view.redeal(DealRng::new(1, 0), &mut held).unwrap();
                        round.play(pick);
                        last = round.turn().is_none().then(|| round.payoff());
                    }
                    _ => {
                        rounds += 1;
                        // The last move of a round may leave nothing open to the one who makes it.
                        if let Some(last) = last {
                            assert_eq!(last.place, batch.payoff[0].place, "{}", game.name());
                            assert_eq!(last.seats, batch.payoff[0].seats);
                        }
                    }
                }
                env.step(&[pick], &mut batch);
            }
        }
    }
}
