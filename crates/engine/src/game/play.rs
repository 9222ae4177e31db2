//! The rules of play.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::View;
use crate::base::hands::Positions;
use crate::base::rng::{DealRng, Draw};
use crate::base::rules::Rules;
use crate::base::{ActionId, MAX_SEATS, Seat};

/// The seat that must act, if the round is not over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This seat has a decision with at least one legal action.
    Decide(Seat),
    /// The round has ended; settle it.
    RoundOver,
}

/// The payoff of a finished round, by seat. Entries beyond `seats`, and those of seats that did not play the round,
/// are 0.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Payoff {
    /// Number of seats of the session.
    pub seats: u8,
    /// Finishing place of each seat: 1 is best, 0 means that the seat did not play.
    pub place: [u8; MAX_SEATS],
    /// Points of each seat by the game's own scoring.
    pub points: [i32; MAX_SEATS],
    /// The reward of each seat: what a learner maximizes, as defined by the rules' `reward` option.
    pub reward: [f32; MAX_SEATS],
}

impl Payoff {
    /// Returns the number of opponents beaten minus those who did better, and the number of opponents. Their
    /// quotient is the place score: 1 − 2(place − 1)/(players − 1) if no place is shared. `None` for a seat that
    /// did not play.
    pub fn margin(&self, seat: usize) -> Option<(i32, i32)> {
        let own = self.place[seat];
        let rivals = self.place.iter().filter(|&&place| place != 0).count() as i32 - 1;
        let than = |better: bool| {
            let other = |&&place: &&u8| place != 0 && if better { place < own } else { place > own };
            self.place.iter().filter(other).count() as i32
        };
        (own != 0).then(|| (than(false) - than(true), rivals))
    }
}

/// A contract that one seat undertook in a round, and whether it was fulfilled.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The seat that undertook it.
    pub seat: Seat,
    /// The kind of contract, as an index into [`Play::CONTRACTS`].
    pub kind: usize,
    /// Whether the seat fulfilled it.
    pub made: bool,
}

/// Plain data for views and standings.
pub trait Data: Copy + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static {}
impl<T: Copy + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static> Data for T {}

/// One round of a game: a small value without heap memory that contains its rules and its random stream.
pub trait Play: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The name used on the command line and in files: lower case, no spaces.
    const NAME: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// Whether the game only serves to check learners and solvers against known answers. Lists of games leave it
    /// out unless they are asked for all games.
    const REFERENCE: bool = false;
    /// The unit of results, in the plural.
    const UNIT: &'static str = "points";
    /// The version of views as JSON. Raised when [`Play::PublicState`], [`Play::PrivateState`] or the rules change
    /// their form or their meaning.
    const VIEW: u32;
    /// The names of the contracts that a seat can undertake in a round; empty in a game without contracts.
    const CONTRACTS: &'static [&'static str] = &[];

    /// The options of the game.
    type Rules: Rules;
    /// What one round passes to the next: ranks, dealer, scores.
    type SessionState: Data;
    /// The public state, including the rules.
    type PublicState: Data;
    /// The private state of one seat.
    type PrivateState: Data;

    /// The standing before the first round of a session.
    fn seating(rules: &Self::Rules, draw: &mut Draw) -> Self::SessionState;
    /// Deals a round. `rng` becomes part of the round.
    fn deal(rules: &Self::Rules, standing: &Self::SessionState, rng: DealRng) -> Self;
    /// The seats that play this round.
    fn present(&self) -> Positions;
    /// The seat that must act.
    fn turn(&self) -> Turn;
    /// Returns what every seat sees.
    fn table(&self) -> &Self::PublicState;
    /// The private state of `seat`, which plays this round.
    fn own(&self, seat: Seat) -> &Self::PrivateState;
    /// The view of `seat`. Code that must not see hidden cards gets only this.
    fn view(&self, seat: Seat) -> View<'_, Self> {
        View { seat, table: self.table(), own: self.own(seat) }
    }
    /// Plays an action of the seat whose turn it is. It does not check that the action is legal.
    fn play(&mut self, action: ActionId);
    /// Adds a finished round to the standing and returns its payoff.
    fn settle(&self, standing: &mut Self::SessionState) -> Payoff;
    /// The contract of a finished round, if there was one.
    fn contract(&self) -> Option<Contract> {
        None
    }
}
