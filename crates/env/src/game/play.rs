//! The rules of play.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::View;
use crate::ground::hands::Positions;
use crate::ground::rng::{DealRng, Draw};
use crate::ground::rules::Rules;
use crate::ground::{ActionId, MAX_SEATS, Seat};

/// Who must act.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This seat has a decision with at least one legal action.
    Decide(Seat),
    /// The round has ended; settle it.
    RoundOver,
}

/// What a finished round is worth to each seat. Entries beyond `seats`, and those of seats that did
/// not play the round, are 0.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Payoff {
    /// Number of seats of the session.
    pub seats: u8,
    /// Finishing place per seat, 1 is best, 0 of a seat that did not play.
    pub place: [u8; MAX_SEATS],
    /// Points of the game's own scoring per seat.
    pub points: [i32; MAX_SEATS],
    /// What a learner maximises, per seat, as the rules' `reward` option says.
    pub reward: [f32; MAX_SEATS],
}

impl Payoff {
    /// Rivals beaten less rivals who did better, and the number of rivals: their quotient is the place
    /// score, 1 − 2(place − 1)/(players − 1) where nobody shares a place. None for a seat that did not
    /// play.
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

/// What one seat undertook to do in a round, and whether it did.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Who promised.
    pub seat: Seat,
    /// What, as a place in [`Play::CONTRACTS`].
    pub kind: usize,
    /// Whether the promise was kept.
    pub made: bool,
}

/// Plain data that a view or a standing is made of.
pub trait Data: Copy + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static {}
impl<T: Copy + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static> Data for T {}

/// One round of a game: a small heap-free value with its rules and its random stream inside.
pub trait Play: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The name used on the command line and in files: lower case, no spaces.
    const NAME: &'static str;
    /// The name people use.
    const TITLE: &'static str;
    /// Whether it is there to check learners and solvers against known answers, and not to be played:
    /// lists of games leave it out unless they are asked for all.
    const REFERENCE: bool = false;
    /// What is won and lost, of several.
    const UNIT: &'static str = "points";
    /// The version of views as JSON: raised when [`Play::Table`], [`Play::Own`] or the rules change their
    /// form or their meaning.
    const VIEW: u32;
    /// What a seat can undertake in a round, by name; empty in a game without contracts.
    const CONTRACTS: &'static [&'static str] = &[];

    /// The options of the game.
    type Rules: Rules;
    /// What one round hands to the next: ranks, dealer, scores.
    type Standing: Data;
    /// What everybody knows, the rules included.
    type Table: Data;
    /// The private state of one seat.
    type Own: Data;

    /// The standing before the first round of a session.
    fn seating(rules: &Self::Rules, draw: &mut Draw) -> Self::Standing;
    /// Deals a round. `rng` becomes part of the round.
    fn deal(rules: &Self::Rules, standing: &Self::Standing, rng: DealRng) -> Self;
    /// The seats that play this round.
    fn present(&self) -> Positions;
    /// Who must act.
    fn turn(&self) -> Turn;
    /// What everybody knows.
    fn table(&self) -> &Self::Table;
    /// What `seat`, which plays this round, knows besides the table.
    fn own(&self, seat: Seat) -> &Self::Own;
    /// All that `seat` may know: the only door to what follows.
    fn view(&self, seat: Seat) -> View<'_, Self> {
        View { seat, table: self.table(), own: self.own(seat) }
    }
    /// Plays an action of the seat whose turn it is. Trusts that it is legal.
    fn play(&mut self, action: ActionId);
    /// Writes a finished round into the standing and says what it was worth.
    fn settle(&self, standing: &mut Self::Standing) -> Payoff;
    /// What was undertaken in a finished round, if anything was.
    fn contract(&self) -> Option<Contract> {
        None
    }
}
