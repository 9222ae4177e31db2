//! A round that is played by label and looked at.

use serde_json::{Value, json};

use super::random::assert_words_agree;
use crate::game::{Actions, Habits, Label, Observe, Payoff, Turn, parse_label};
use crate::ground::blocks::{Block, width};
use crate::ground::mask::{self, Mask};
use crate::ground::rng::Draw;
use crate::ground::{ActionId, Seat};

/// How the tests of a game name its players, by seat unless the game has positions, and what they check after
/// every move. `impl Placed for Round {}` is enough to begin with.
pub trait Placed: Actions {
    /// What is wrong with this round, asked after every move: [`self.audit()`](crate::Check::audit), once there
    /// is one, where all rounds that the tests set up can be dealt. Nothing unless the game says so.
    ///
    /// # Errors
    /// What does not hold.
    fn checked(&self) -> Result<(), String> {
        Ok(())
    }
    /// Who is at a place.
    fn seat_at(&self, place: u8) -> Seat {
        Seat(place)
    }
    /// The place of a seat.
    fn place_of(&self, seat: Seat) -> u8 {
        seat.0
    }
}

/// A round under way. Places are as [`Placed`] says; moves go by their names at this table, which
/// [`Actions::label`] writes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Situation<G>(pub G);

impl<G: Placed> Situation<G> {
    /// This round.
    pub fn of(round: G) -> Self {
        Self(round)
    }

    /// The place that must act; none when the round is over.
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

    /// The names of all that the player who must act may do, in the order of the ids; empty when the round is
    /// over.
    ///
    /// # Panics
    /// As [`Situation::legal_of`].
    #[track_caller]
    pub fn legal(&self) -> Vec<String> {
        let Turn::Decide(seat) = self.0.turn() else { return Vec::new() };
        self.legal_of(seat)
    }

    /// The names of all that a seat may do; empty where it has no decision.
    ///
    /// # Panics
    /// The words of the rules ([`Actions::is_legal`]) allow something else.
    #[track_caller]
    pub fn legal_of(&self, seat: Seat) -> Vec<String> {
        assert_words_agree(&self.0, seat);
        mask::actions(G::legal(self.0.view(seat)).words()).map(|action| self.label(action)).collect()
    }

    /// The name of an action at this table.
    pub fn label(&self, action: ActionId) -> String {
        Label::<G>::at(self.0.table(), action).to_string()
    }

    /// Whether the player who must act may do this.
    ///
    /// # Panics
    /// As [`Situation::legal_of`].
    #[track_caller]
    pub fn may(&self, name: &str) -> bool {
        self.legal().iter().any(|legal| legal == name)
    }

    /// The action with this name.
    #[track_caller]
    fn action(&self, name: &str) -> ActionId {
        assert!(self.may(name), "{name} is not legal; legal: {}", self.legal().join(", "));
        parse_label::<G>(Some(self.0.table()), name).expect("the name of a legal action is read back")
    }

    /// Asserts who must act, and all that he may do, in the order of the ids: `expect(0, "5d, 8s, draw")`.
    ///
    /// # Panics
    /// Somebody else must act, or may do something else.
    #[track_caller]
    pub fn expect(&self, place: u8, legal: &str) {
        assert_eq!(self.turn(), Some(place), "who must act");
        assert_eq!(self.legal().join(", "), legal);
    }

    /// Plays legal actions, separated by commas: `play("8s, hearts, draw")`.
    ///
    /// # Panics
    /// One is not legal, or the round is not as [`Placed::checked`] wants it after it.
    #[track_caller]
    pub fn play(&mut self, labels: &str) {
        for name in labels.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            self.0.play(self.action(name));
            self.0.checked().unwrap_or_else(|problem| panic!("after {name}: {problem}"));
        }
    }

    /// [`Situation::play`] on a copy.
    ///
    /// # Panics
    /// As [`Situation::play`].
    #[track_caller]
    pub fn after(&self, labels: &str) -> Self {
        let mut copy = *self;
        copy.play(labels);
        copy
    }

    /// Everybody plays what is legal first (the smallest id) until the round is over.
    ///
    /// # Panics
    /// Who must act may do nothing.
    pub fn play_out(&mut self) {
        while let Turn::Decide(seat) = self.0.turn() {
            let legal = G::legal(self.0.view(seat));
            self.0.play(mask::nth(legal.words(), 0).expect("who must act may do something"));
        }
    }

    /// What the finished round was worth, by seat. What a round is worth depends on the round alone, so any
    /// standing will do to settle it.
    ///
    /// # Panics
    /// The round is not over.
    #[track_caller]
    pub fn payoff(&self) -> Payoff {
        assert_eq!(self.turn(), None, "the round is not over: somebody must act");
        let mut standing = G::seating(&G::Rules::default(), &mut Draw::new(0, 0));
        self.0.settle(&mut standing)
    }

    /// What a place sees, as JSON.
    pub fn view_json(&self, place: u8) -> Value {
        json!(self.0.view(self.seat(place)).to_owned())
    }
}

impl<G: Placed + Habits> Situation<G> {
    /// What an action of the player who must act tells of how he plays: of [`Habits::HABITS`], in their order.
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
        // Begun with junk: a row must be written completely.
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

    /// The places (from 0) of the cells of a block that are not 0, all of which must be 1.
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
