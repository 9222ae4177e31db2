//! How the tests play a hand by label and look at it.

use serde_json::Value;

use super::super::deck::{self, Cards};
use super::super::rules::Rules;
use super::super::{Round, Standing};
pub use super::setup::setup;
use crate::blocks::Block;
use crate::game::{ActionId, Game, Label, Payoff, Seat, Turn, parse_label};
use crate::hands::Positions;
use crate::mask::{self, Mask};

/// Cards in card notation: `hand("7 7 7 J")`.
pub fn hand(text: &str) -> Cards {
    deck::from_text(text).unwrap()
}

/// Checked rules from a JSON object.
pub fn rules(options: Value) -> Rules {
    crate::rules::read(&options).unwrap()
}

/// A hand under way.
#[derive(Copy, Clone)]
pub struct Situation(pub Round);

impl Situation {
    /// The position that must act; none when the hand is over.
    pub fn turn(&self) -> Option<u8> {
        match self.0.turn() {
            Turn::Decide(seat) => Some(self.0.table.position[seat.index()]),
            Turn::RoundOver => None,
        }
    }

    /// Number of players.
    pub fn players(&self) -> u8 {
        self.0.table.players()
    }

    /// The seat at a position.
    pub fn seat(&self, position: u8) -> Seat {
        self.0.table.order[usize::from(position)]
    }

    /// What a position holds, in card notation.
    pub fn hand(&self, position: u8) -> String {
        deck::to_text(&self.0.own(self.seat(position)).hand)
    }

    /// What the player who must act may do; empty when the hand is over.
    pub fn legal(&self) -> Vec<String> {
        let Turn::Decide(seat) = self.0.turn() else { return Vec::new() };
        self.legal_of(seat)
    }

    /// What a seat may do.
    pub fn legal_of(&self, seat: Seat) -> Vec<String> {
        let legal = Round::legal(self.0.view(seat));
        mask::actions(legal.words()).map(label).collect()
    }

    /// Asserts what the player who must act may do, in the order of the ids.
    #[track_caller]
    pub fn expect(&self, position: u8, legal: &str) {
        assert_eq!(self.turn(), Some(position), "who must act");
        assert_eq!(self.legal().join(", "), legal);
    }

    /// Plays legal actions, separated by commas.
    #[track_caller]
    pub fn play(&mut self, labels: &str) {
        for name in labels.split(',') {
            let name = name.trim();
            let legal = self.legal();
            assert!(legal.iter().any(|l| l == name), "{name} is not legal; legal: {}", legal.join(", "));
            self.0.play(parse_label::<Round>(None, name).unwrap());
        }
    }

    /// The same, on a copy.
    #[track_caller]
    pub fn after(&self, labels: &str) -> Self {
        let mut copy = *self;
        copy.play(labels);
        copy
    }

    /// The same, after this many cards given: always the worst numbered card there is.
    #[track_caller]
    pub fn after_giving(&self, cards: usize) -> Self {
        let mut copy = *self;
        for _ in 0..cards {
            let worst = copy.legal().into_iter().rfind(|l| l.starts_with("give ") && l != "give J");
            copy.play(&worst.expect("a card to give"));
        }
        copy
    }

    /// The set to beat as rank, size and Jesters; none when the table is empty.
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

    /// The observation row of a position.
    pub fn row(&self, position: u8) -> Vec<u8> {
        // Begun with junk: a row must be written completely.
        let mut row = vec![0xa5; crate::blocks::width(Round::OBSERVATION)];
        Round::observe(self.0.view(self.seat(position)), &mut row);
        row
    }

    /// The cells of one block of the row of a position.
    pub fn cells(&self, position: u8, block: &str) -> Vec<u8> {
        named(Round::OBSERVATION, block).of(&self.row(position)).to_vec()
    }

    /// The places (from 0) of the cells of a block that are not 0, all of which must be 1.
    #[track_caller]
    pub fn ones(&self, position: u8, block: &str) -> Vec<usize> {
        let cells = self.cells(position, block);
        assert!(cells.iter().all(|&c| c < 2), "{block} is not made of bits: {cells:?}");
        (0..cells.len()).filter(|&i| cells[i] == 1).collect()
    }

    /// What a position sees, as JSON.
    pub fn view_json(&self, position: u8) -> Value {
        serde_json::to_value(self.0.view(self.seat(position)).to_owned()).unwrap()
    }

    /// Settles the finished hand.
    pub fn settle(&self) -> (Payoff, Standing) {
        assert_eq!(self.turn(), None, "the hand is not over");
        let mut standing =
            Standing { hands: self.0.table.hand - 1, order: self.0.table.order, points: self.0.table.points };
        let payoff = self.0.settle(&mut standing);
        (payoff, standing)
    }

    /// Everybody plays what is legal first (the smallest id) until the hand is over.
    pub fn play_out(&mut self) {
        while self.turn().is_some() {
            let Turn::Decide(seat) = self.0.turn() else { return };
            let legal = Round::legal(self.0.view(seat));
            self.0.play(mask::nth(legal.words(), 0).unwrap());
        }
    }
}

/// The block of this name.
#[track_caller]
pub fn named(blocks: &'static [Block], name: &str) -> Block {
    *blocks.iter().find(|b| b.name == name).unwrap_or_else(|| panic!("no block {name}"))
}

/// The label of an action.
pub fn label(action: ActionId) -> String {
    Label::<Round>::of(action).to_string()
}
