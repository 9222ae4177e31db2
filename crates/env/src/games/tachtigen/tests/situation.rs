//! How the tests set a deal up, play it by label and look at it.

use serde_json::{Value, json};

use super::super::auction::fresh_table;
use super::super::deck::{Card, Cards};
use super::super::rules::Rules;
use super::super::table::Own;
use super::super::{Round, Standing};
use crate::blocks::{Block, width};
use crate::game::{ActionId, Game, Label, Payoff, Seat, Turn, parse_label};
use crate::mask;
use crate::rng::DealRng;

/// Cards in card notation: `cards("SJ H6")`.
#[track_caller]
pub fn cards(text: &str) -> Cards {
    text.parse().unwrap()
}

/// A card in card notation.
#[track_caller]
pub fn card(text: &str) -> Card {
    text.parse().unwrap()
}

/// Checked rules from a JSON object.
#[track_caller]
pub fn rules(options: Value) -> Rules {
    crate::rules::read(&options).unwrap()
}

/// A deal under way.
#[derive(Copy, Clone)]
pub struct Situation(pub Round);

/// Hands by seat and a kitty, as far as they matter; the rest of the deck fills them up in the order of
/// the card numbers. Seat 3 has dealt: seat 0 speaks first.
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
    let standing = Standing { deals: 0, dealer: Seat(3), scores: [0; 4] };
    let table = fresh_table(&rules, &standing, [0, 1, 2, 3].map(Seat));
    let own = given.map(|hand| Own { hand, discard: None });
    let round = Round { table, own, kitty, rng: DealRng::new(1, 1) };
    round.audit().unwrap();
    Situation(round)
}

/// The name of an action.
pub fn label(action: ActionId) -> String {
    Label::<Round>::of(action).to_string()
}

impl Situation {
    /// The seat that must act; none when the deal is over.
    pub fn turn(&self) -> Option<u8> {
        match self.0.turn() {
            Turn::Decide(seat) => Some(seat.0),
            Turn::RoundOver => None,
        }
    }

    /// What the player who must act may do, in the order of the ids.
    pub fn legal(&self) -> Vec<String> {
        let Turn::Decide(seat) = self.0.turn() else { return Vec::new() };
        let legal = Round::legal(self.0.view(seat));
        for id in (0..256).map(ActionId) {
            assert_eq!(mask::contains(&legal.0, id), Round::is_legal(self.0.view(seat), id), "{}", label(id));
        }
        mask::actions(&legal.0).map(label).collect()
    }

    /// Asserts who must act, and all that he may do.
    #[track_caller]
    pub fn expect(&self, seat: u8, legal: &str) {
        assert_eq!(self.turn(), Some(seat), "who must act");
        assert_eq!(self.legal().join(", "), legal);
    }

    /// Plays legal actions, separated by commas.
    #[track_caller]
    pub fn play(&mut self, labels: &str) {
        for name in labels.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let legal = self.legal();
            assert!(legal.iter().any(|l| l == name), "{name} is not legal; legal: {}", legal.join(", "));
            self.0.play(parse_label::<Round>(None, name).unwrap());
            self.0.audit().unwrap();
        }
    }

    /// The same, on a copy.
    #[track_caller]
    pub fn after(&self, labels: &str) -> Self {
        let mut copy = *self;
        copy.play(labels);
        copy
    }

    /// Seat 0 opens with this bid and everybody else passes.
    #[track_caller]
    pub fn bid(&self, bid: &str) -> Self {
        self.after(&format!("bid {bid}, pass, pass, pass"))
    }

    /// Plays the first legal card of everybody until the deal is over or it is this seat's turn to lead.
    pub fn finish(&self) -> Self {
        let mut copy = *self;
        while let Turn::Decide(seat) = copy.0.turn() {
            let legal = Round::legal(copy.0.view(seat));
            copy.0.play(mask::actions(&legal.0).next().unwrap());
        }
        copy
    }

    /// What a seat holds.
    pub fn hand(&self, seat: u8) -> String {
        self.0.own(Seat(seat)).hand.to_string()
    }

    /// What the deal was worth.
    #[track_caller]
    pub fn payoff(&self) -> Payoff {
        assert_eq!(self.0.turn(), Turn::RoundOver);
        self.0.settle(&mut Standing { deals: 0, dealer: Seat(0), scores: [0; 4] })
    }

    /// Its points by seat.
    #[track_caller]
    pub fn points(&self) -> [i32; 4] {
        self.payoff().points[..4].try_into().unwrap()
    }

    /// A seat's view as JSON.
    pub fn view(&self, seat: u8) -> Value {
        json!(self.0.view(Seat(seat)).to_owned())
    }

    /// A seat's observation row.
    pub fn row(&self, seat: u8) -> Vec<u8> {
        let mut row = vec![0xAA; width(Round::OBSERVATION)];
        Round::observe(self.0.view(Seat(seat)), &mut row);
        row
    }

    /// A block of it.
    #[track_caller]
    pub fn cells(&self, seat: u8, block: &str) -> Vec<u8> {
        let found: Option<&Block> = Round::OBSERVATION.iter().find(|b| b.name == block);
        found.unwrap_or_else(|| panic!("no block {block}")).of(&self.row(seat)).to_vec()
    }

    /// Which cells of a block are not 0.
    #[track_caller]
    pub fn ones(&self, seat: u8, block: &str) -> Vec<usize> {
        self.cells(seat, block).iter().enumerate().filter(|(_, v)| **v != 0).map(|(i, _)| i).collect()
    }
}
