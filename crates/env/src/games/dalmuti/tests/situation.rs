//! A hand under test: play by label, and accessors.

use serde_json::Value;

use super::super::deck::{self, Cards};
use super::super::rules::Rules;
use super::super::{Round, Standing};
pub use super::setup::setup;
use crate::game::{Label, Payoff, Play};
use crate::ground::hands::Positions;
use crate::ground::{ActionId, Seat};
pub use crate::testing::named;
use crate::testing::{self, Placed};

/// Cards in card notation, such as `hand("7 7 7 J")`.
pub fn hand(text: &str) -> Cards {
    deck::from_text(text).unwrap()
}

/// Validated rules from a JSON object.
pub fn rules(options: Value) -> Rules {
    crate::ground::rules::read(&options).unwrap()
}

/// A hand in progress.
pub type Situation = testing::Situation<Round>;

/// Without an audit: the test names the hands, which need not follow from taxes.
impl Placed for Round {
    fn seat_at(&self, place: u8) -> Seat {
        self.table.order[usize::from(place)]
    }

    fn place_of(&self, seat: Seat) -> u8 {
        self.table.position[seat.index()]
    }
}

impl Situation {
    /// Number of players.
    pub fn players(&self) -> u8 {
        self.0.table.players()
    }

    /// The cards of a position, in card notation.
    pub fn hand(&self, position: u8) -> String {
        deck::to_text(&self.0.own(self.seat(position)).hand)
    }

    /// The situation after this many gifts, each the worst numbered card.
    #[track_caller]
    pub fn after_giving(&self, cards: usize) -> Self {
        let mut copy = *self;
        for _ in 0..cards {
            let worst = copy.legal().into_iter().rfind(|l| l.starts_with("give ") && l != "give J");
            copy.play(&worst.expect("a card to give"));
        }
        copy
    }

    /// The set to beat as rank, size and Jesters; `None` if the table is empty.
    pub fn table(&self) -> Option<(u8, u8, u8)> {
        let trick = &self.0.table.trick;
        (trick.size > 0).then(|| (13 - trick.strength, trick.size, trick.wilds))
    }

    /// The seats by position.
    pub fn order(&self) -> Vec<u8> {
        self.0.table.order[..usize::from(self.players())].iter().map(|s| s.0).collect()
    }

    /// The positions that still hold cards.
    pub fn still_in(&self) -> Positions {
        self.0.table.trick.still_in
    }

    /// Settles the finished hand.
    pub fn settle(&self) -> (Payoff, Standing) {
        assert_eq!(self.turn(), None, "the hand is not over");
        let mut standing =
            Standing { hands: self.0.table.hand - 1, order: self.0.table.order, points: self.0.table.points };
        let payoff = self.0.settle(&mut standing);
        (payoff, standing)
    }
}

/// The label of an action.
pub fn label(action: ActionId) -> String {
    Label::<Round>::of(action).to_string()
}
