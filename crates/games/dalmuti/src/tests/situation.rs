//! A hand under test: play by label, and accessors.

use serde_json::Value;

use super::super::deck::{self, Cards};
use super::super::rules::Rules;
use super::super::{Round, SessionState};
pub use super::setup::setup;
use cardsharp_engine::game::{Label, Payoff, Play};
use cardsharp_engine::hands::Positions;
pub use cardsharp_engine::testing::named;
use cardsharp_engine::testing::{self, Placed};
use cardsharp_engine::{ActionId, Seat};

/// Cards in card notation, such as `hand("7 7 7 J")`.
pub fn hand(text: &str) -> Cards {
    deck::from_text(text).unwrap()
}

/// Validated rules from a JSON object.
pub fn rules(options: Value) -> Rules {
    cardsharp_engine::rules::read(&options).unwrap()
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

/// What tests look at in a hand.
pub trait Inspect {
    fn players(&self) -> u8;
    /// The cards of a position, in card notation.
    fn hand(&self, position: u8) -> String;
    fn after_giving(&self, cards: usize) -> Self;
    /// The set to beat as rank, size and Jesters; `None` if the table is empty.
    fn table(&self) -> Option<(u8, u8, u8)>;
    /// The seats by position.
    fn order(&self) -> Vec<u8>;
    /// The positions that still hold cards.
    fn still_in(&self) -> Positions;
    /// Settles the finished hand.
    fn settle(&self) -> (Payoff, SessionState);
}

impl Inspect for Situation {
    fn players(&self) -> u8 {
        self.0.table.players()
    }

    fn hand(&self, position: u8) -> String {
        deck::to_text(&self.0.own(self.seat(position)).hand)
    }

    /// The situation after this many gifts, each the worst numbered card.
    #[track_caller]
    fn after_giving(&self, cards: usize) -> Self {
        let mut copy = *self;
        for _ in 0..cards {
            let worst = copy.legal().into_iter().rfind(|l| l.starts_with("give ") && l != "give J");
            copy.play(&worst.expect("a card to give"));
        }
        copy
    }

    fn table(&self) -> Option<(u8, u8, u8)> {
        let trick = &self.0.table.trick;
        (trick.size > 0).then(|| (13 - trick.strength, trick.size, trick.wilds))
    }

    fn order(&self) -> Vec<u8> {
        self.0.table.order[..usize::from(self.players())].iter().map(|s| s.0).collect()
    }

    fn still_in(&self) -> Positions {
        self.0.table.trick.still_in
    }

    fn settle(&self) -> (Payoff, SessionState) {
        assert_eq!(self.turn(), None, "the hand is not over");
        let mut standing = SessionState {
            hands: self.0.table.hand - 1,
            order: self.0.table.order,
            points: self.0.table.points,
        };
        let payoff = self.0.settle(&mut standing);
        (payoff, standing)
    }
}

/// The label of an action.
pub fn label(action: ActionId) -> String {
    Label::<Round>::of(action).to_string()
}
