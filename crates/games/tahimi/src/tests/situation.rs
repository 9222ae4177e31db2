//! A round under test: play by label, and accessors.

use serde_json::Value;

use super::super::deck::{self, Cards, JOKER};
use super::super::rules::Rules;
use super::super::{Round, SessionState};
pub use super::setup::setup;
use cardsharp_engine::game::{Label, Payoff, Play};
pub use cardsharp_engine::testing::named;
use cardsharp_engine::testing::{self, Placed};
use cardsharp_engine::{ActionId, Seat};

/// Cards in the notation of views, such as `hand("7 7 7 *")`.
pub fn hand(text: &str) -> Cards {
    deck::from_text(text).unwrap()
}

/// Validated rules from a JSON object.
pub fn rules(options: Value) -> Rules {
    cardsharp_engine::rules::read(&options).unwrap_or_else(|error| panic!("{options}: {error}"))
}

/// A round in progress.
pub type Situation = testing::Situation<Round>;

/// Without an audit: the test names the hands, which need not follow from taxes.
impl Placed for Round {
    fn seat_at(&self, place: u8) -> Seat {
        self.table.order[usize::from(place)]
    }

    fn place_of(&self, seat: Seat) -> u8 {
        self.table.position_of(seat)
    }
}

/// What tests look at in a round.
pub trait Inspect {
    fn players(&self) -> u8;
    /// The hand of a position, in the notation of views.
    fn hand(&self, position: u8) -> String;
    /// The cards that a position gave in taxes.
    fn given(&self, position: u8) -> String;
    /// The cards that a position has received in taxes.
    fn received(&self, position: u8) -> String;
    /// The set to beat as rank, size and jokers; `None` if the table is empty. Low jokers alone have the rank `*`.
    fn table(&self) -> Option<(&'static str, u8, u8)>;
    /// The seats by position.
    fn order(&self) -> Vec<u8>;
    /// The positions that have announced their last card.
    fn one_card(&self) -> Vec<u8>;
    /// Settles the finished round.
    fn settle(&self) -> (Payoff, SessionState);
}

impl Inspect for Situation {
    fn players(&self) -> u8 {
        self.0.table.players
    }

    fn hand(&self, position: u8) -> String {
        deck::to_text(&self.0.own(self.seat(position)).hand)
    }

    fn given(&self, position: u8) -> String {
        deck::to_text(&self.0.own(self.seat(position)).given)
    }

    fn received(&self, position: u8) -> String {
        deck::to_text(&self.0.own(self.seat(position)).received)
    }

    fn table(&self) -> Option<(&'static str, u8, u8)> {
        let trick = &self.0.table.trick;
        let rank = JOKER - usize::from(trick.strength);
        (trick.size > 0).then(|| (self.0.table.ladder().name(rank), trick.size, trick.wilds))
    }

    fn order(&self) -> Vec<u8> {
        self.0.table.order[..usize::from(self.players())].iter().map(|s| s.0).collect()
    }

    fn one_card(&self) -> Vec<u8> {
        self.0.table.one_card.iter().collect()
    }

    fn settle(&self) -> (Payoff, SessionState) {
        assert_eq!(self.turn(), None, "the round is not over");
        let table = &self.0.table;
        let mut standing = SessionState {
            rounds: table.round - 1,
            players: table.players,
            order: table.order,
            points: table.points,
            tahimi: [0; 12],
        };
        let payoff = self.0.settle(&mut standing);
        (payoff, standing)
    }
}

/// The label of an action, with the names of the standard deck.
pub fn label(action: ActionId) -> String {
    Label::<Round>::of(action).to_string()
}
