//! A round that is played by labels and inspected.

use serde_json::{Value, json};

use super::random::assert_words_agree;
use crate::base::blocks::{Block, width};
use crate::base::mask::{self, Mask};
use crate::base::rng::Draw;
use crate::base::{ActionId, Seat};
use crate::game::{Actions, Habits, Label, Observe, Payoff, Turn, parse_label};

/// How the tests of a game name its players, and what they check after every move. Players are named by seat unless
/// the game has positions. `impl Placed for Round {}` is enough to start.
pub trait Placed: Actions {
    /// Checks the round after every move; by default, checks nothing. Return [`self.audit()`](crate::Check::audit)
    /// once you have it, if every round that the tests set up can be dealt.
    ///
    /// # Errors
    /// The problem found.
    fn checked(&self) -> Result<(), String> {
        Ok(())
    }
    /// The seat at a place.
    fn seat_at(&self, place: u8) -> Seat {
        Seat(place)
    }
    /// The place of a seat.
    fn place_of(&self, seat: Seat) -> u8 {
        seat.0
    }
}

/// A round in progress. Places are as in [`Placed`]; moves are named by their labels at this table, which
/// [`Actions::label`] writes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Situation<G>(pub G);

impl<G: Placed> Situation<G> {
    /// Returns a situation with this round.
    pub fn of(round: G) -> Self {
        Self(round)
    }

    /// The place that must act; `None` when the round is over.
    pub fn turn(&self) -> Option<u8> {
        match self.0.turn() {
            Turn::Decide(seat) => Some(self.0.place_of(seat)),
            Turn::RoundOver => None,
        }
    }

    /// The seat at a place.
    pub fn seat(&self, place: u8) -> Seat {
        self.0.seat_at(place)
    }

    /// The labels of all legal actions of the player who must act, in the order of the ids; empty when the round is
    /// over.
    ///
    /// # Panics
    /// As [`Situation::legal_of`].
    #[track_caller]
    pub fn legal(&self) -> Vec<String> {
        let Turn::Decide(seat) = self.0.turn() else { return Vec::new() };
        self.legal_of(seat)
    }

    /// The labels of all legal actions of a seat; empty if it has no decision.
    ///
    /// # Panics
    /// The words of the rules ([`Actions::is_legal`]) allow other actions.
    #[track_caller]
    pub fn legal_of(&self, seat: Seat) -> Vec<String> {
        assert_words_agree(&self.0, seat);
        mask::actions(G::legal(self.0.view(seat)).words()).map(|action| self.label(action)).collect()
    }

    /// The label of an action at this table.
    pub fn label(&self, action: ActionId) -> String {
        Label::<G>::at(self.0.table(), action).to_string()
    }

    /// Whether the action with this label is legal for the player who must act.
    ///
    /// # Panics
    /// As [`Situation::legal_of`].
    #[track_caller]
    pub fn may(&self, name: &str) -> bool {
        self.legal().iter().any(|legal| legal == name)
    }

    /// The legal action with this label.
    #[track_caller]
    pub(super) fn action(&self, name: &str) -> ActionId {
        assert!(self.may(name), "{name} is not legal; legal: {}", self.legal().join(", "));
        parse_label::<G>(Some(self.0.table()), name).expect("the name of a legal action is read back")
    }

    /// Asserts who must act, and all legal actions of that player in the order of the ids:
    /// `expect(0, "5d, 8s, draw")`.
    ///
    /// # Panics
    /// Another player must act, or the legal actions differ.
    #[track_caller]
    pub fn expect(&self, place: u8, legal: &str) {
        assert_eq!(self.turn(), Some(place), "who must act");
        assert_eq!(self.legal().join(", "), legal);
    }

    /// Plays legal actions, separated by commas: `play("8s, hearts, draw")`.
    ///
    /// # Panics
    /// An action is not legal, or [`Placed::checked`] fails after it.
    #[track_caller]
    pub fn play(&mut self, labels: &str) {
        for name in labels.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            self.0.play(self.action(name));
            self.0.checked().unwrap_or_else(|problem| panic!("after {name}: {problem}"));
        }
    }

    /// Plays legal actions on a copy and returns it; see [`Situation::play`].
    ///
    /// # Panics
    /// As [`Situation::play`].
    #[track_caller]
    pub fn after(&self, labels: &str) -> Self {
        let mut copy = *self;
        copy.play(labels);
        copy
    }

    /// Plays the legal action with the smallest id in every decision, until the round is over.
    ///
    /// # Panics
    /// The seat that must act has no legal action.
    pub fn play_out(&mut self) {
        while let Turn::Decide(seat) = self.0.turn() {
            let legal = G::legal(self.0.view(seat));
            self.0.play(mask::nth(legal.words(), 0).expect("who must act may do something"));
        }
    }

    /// The payoff of the finished round, by seat. It depends on the round alone, so any standing will do to settle
    /// it.
    ///
    /// # Panics
    /// The round is not over.
    #[track_caller]
    pub fn payoff(&self) -> Payoff {
        assert_eq!(self.turn(), None, "the round is not over: somebody must act");
        let mut standing = G::seating(&G::Rules::default(), &mut Draw::new(0, 0));
        self.0.settle(&mut standing)
    }

    /// The view of a place, as JSON.
    pub fn view_json(&self, place: u8) -> Value {
        json!(self.0.view(self.seat(place)).to_owned())
    }
}

impl<G: Placed + Habits> Situation<G> {
    /// The kinds of moves in [`Habits::HABITS`] that an action of the player who must act belongs to, in their
    /// order.
    ///
    /// # Panics
    /// The action is not legal.
    #[track_caller]
    pub fn habits(&self, name: &str) -> Vec<&'static str> {
        let Turn::Decide(seat) = self.0.turn() else { panic!("the round is over") };
        let kinds = G::habits(self.0.view(seat), self.action(name));
        G::HABITS
            .iter()
            .enumerate()
            .filter(|(kind, _)| kinds >> kind & 1 == 1)
            .map(|(_, name)| *name)
            .collect()
    }
}

impl<G: Placed + Observe> Situation<G> {
    /// The observation row of a place, `width(G::OBSERVATION)` cells.
    pub fn row(&self, place: u8) -> Vec<u8> {
        // Starts with junk, because `observe` must write the whole row.
        let mut row = vec![0xa5; width(G::OBSERVATION)];
        G::observe(self.0.view(self.seat(place)), &mut row);
        row
    }

    /// The cells of one block of the row of a place.
    ///
    /// # Panics
    /// There is no block of this name.
    #[track_caller]
    pub fn cells(&self, place: u8, block: &str) -> Vec<u8> {
        named(G::OBSERVATION, block).of(&self.row(place)).to_vec()
    }

    /// The indices (from 0) of the cells of a block that are not 0. All of these must be 1.
    ///
    /// # Panics
    /// A cell holds more, or there is no block of this name.
    #[track_caller]
    pub fn ones(&self, place: u8, block: &str) -> Vec<usize> {
        let cells = self.cells(place, block);
        assert!(cells.iter().all(|&c| c < 2), "{block} is not made of bits: {cells:?}");
        (0..cells.len()).filter(|&i| cells[i] == 1).collect()
    }
}

/// The block of this name.
///
/// # Panics
/// There is none.
#[track_caller]
pub fn named(blocks: &'static [Block], name: &str) -> Block {
    *blocks.iter().find(|b| b.name == name).unwrap_or_else(|| panic!("no block {name}"))
}
