//! Setting up a deal in tests, playing it by labels, and inspecting it.

use cardsharp_engine::game::{Check, Label, Play};
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::testing::{self, Placed};
use cardsharp_engine::{ActionId, Seat};
use serde_json::Value;

use super::super::auction::fresh_table;
use super::super::deck::{Card, Cards};
use super::super::rules::Rules;
use super::super::state::PrivateState;
use super::super::{Round, SessionState};

/// Parses cards in card notation, as in `cards("SJ H6")`.
#[track_caller]
pub fn cards(text: &str) -> Cards {
    text.parse().unwrap()
}

/// Parses a card in card notation.
#[track_caller]
pub fn card(text: &str) -> Card {
    text.parse().unwrap()
}

/// Reads and checks rules from a JSON object.
#[track_caller]
pub fn rules(options: Value) -> Rules {
    cardsharp_engine::rules::read(&options).unwrap()
}

/// A deal in progress.
pub type Situation = testing::Situation<Round>;

impl Placed for Round {
    fn checked(&self) -> Result<(), String> {
        self.audit()
    }
}

/// Returns a deal with these hands, by seat, and this kitty. The rest of the deck completes them in the order
/// of card numbers. Seat 3 deals, so seat 0 is asked first.
#[track_caller]
pub fn setup(options: Value, hands: [&str; 4], kitty: &str) -> Situation {
    let rules = rules(options);
    let mut given = hands.map(cards);
    let kitty = if kitty.is_empty() { None } else { Some(card(kitty)) };
    let known = given.iter().fold(kitty.map_or(Cards::NONE, Cards::one), |all, hand| {
        assert!(!all.meets(*hand), "a card is dealt twice");
        all.or(*hand)
    });
    let mut rest = Cards::ALL.minus(known).iter();
    for hand in &mut given {
        while hand.len() < 8 {
            hand.insert(rest.next().unwrap());
        }
        assert_eq!(hand.len(), 8);
    }
    let kitty = kitty.or_else(|| rest.next()).unwrap();
    let standing = SessionState { deals: 0, dealer: Seat(3), scores: [0; 4] };
    let table = fresh_table(&rules, &standing, [0, 1, 2, 3].map(Seat));
    let own = given.map(|hand| PrivateState { hand, discard: None });
    let round = Round { table, own, kitty, rng: DealRng::new(1, 1) };
    round.audit().unwrap();
    Situation::of(round)
}

/// Hands for the kitty SQ. Seat 0 has a run of six clubs.
pub const HANDS: [&str; 4] = [
    "SK S8 C9 CT CJ CQ CK CA",
    "SA S7 D7 D8 H6 H7 D9 DT",
    "HT DJ DQ DK DA C7 C8 H8",
    "HJ H9 HA HK HQ S9 ST SJ",
];

/// Returns the deal of [`HANDS`] in which seat 0 makes this bid and all others pass.
#[track_caller]
pub fn bid(options: Value, bid: &str) -> Situation {
    setup(options, HANDS, "SQ").bid(bid)
}

/// Returns the label of an action.
pub fn label(action: ActionId) -> String {
    Label::<Round>::of(action).to_string()
}

/// What tests look at in a round.
pub trait Inspect {
    fn bid(&self, bid: &str) -> Self;
    /// Plays the first legal card for every player until the deal is over.
    fn finish(&self) -> Self;
    /// Returns a seat's hand in card notation.
    fn hand(&self, seat: u8) -> String;
    fn points(&self) -> [i32; 4];
}

impl Inspect for Situation {
    /// Seat 0 opens with this bid, and all others pass.
    #[track_caller]
    fn bid(&self, bid: &str) -> Self {
        self.after(&format!("bid {bid}, pass, pass, pass"))
    }

    fn finish(&self) -> Self {
        let mut copy = *self;
        copy.play_out();
        copy
    }

    fn hand(&self, seat: u8) -> String {
        self.0.own(Seat(seat)).hand.to_string()
    }

    /// Returns the points of the finished deal, by seat.
    #[track_caller]
    fn points(&self) -> [i32; 4] {
        self.payoff().points[..4].try_into().unwrap()
    }
}
