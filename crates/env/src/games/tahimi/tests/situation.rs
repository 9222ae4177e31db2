//! How the tests play a round by label and look at it.

use serde_json::Value;

use super::super::deck::{self, Cards, JOKER};
use super::super::rules::Rules;
use super::super::{Round, Standing};
pub use super::setup::setup;
use crate::blocks::Block;
use crate::game::{ActionId, Game, Label, Payoff, Seat, Turn, parse_label};
use crate::mask::{self, Mask};

/// Cards in the notation of views: `hand("7 7 7 *")`.
pub fn hand(text: &str) -> Cards {
    deck::from_text(text).unwrap()
}

/// Checked rules from a JSON object.
pub fn rules(options: Value) -> Rules {
    crate::rules::read(&options).unwrap_or_else(|error| panic!("{options}: {error}"))
}

/// A round under way.
#[derive(Copy, Clone)]
pub struct Situation(pub Round);

impl Situation {
    /// The position that must act; none when the round is over.
    pub fn turn(&self) -> Option<u8> {
        match self.0.turn() {
            Turn::Decide(seat) => Some(self.0.table.position[seat.index()]),
            Turn::RoundOver => None,
        }
    }

    /// Number of players.
    pub fn players(&self) -> u8 {
        self.0.table.players
    }

    /// The seat at a position.
    pub fn seat(&self, position: u8) -> Seat {
        self.0.table.order[usize::from(position)]
    }

    /// What a position holds, in the notation of views.
    pub fn hand(&self, position: u8) -> String {
        deck::to_text(&self.0.own(self.seat(position)).hand)
    }

    /// What a position has given in taxes.
    pub fn given(&self, position: u8) -> String {
        deck::to_text(&self.0.own(self.seat(position)).given)
    }

    /// What a position has received in taxes.
    pub fn received(&self, position: u8) -> String {
        deck::to_text(&self.0.own(self.seat(position)).received)
    }

    /// What the player who must act may do, in the names of the deck in play; empty when the round is
    /// over.
    pub fn legal(&self) -> Vec<String> {
        let Turn::Decide(seat) = self.0.turn() else { return Vec::new() };
        self.legal_of(seat)
    }

    /// What a seat may do.
    pub fn legal_of(&self, seat: Seat) -> Vec<String> {
        let legal = Round::legal(self.0.view(seat));
        mask::actions(legal.words()).map(|id| self.label(id)).collect()
    }

    /// The name of an action at this table.
    pub fn label(&self, action: ActionId) -> String {
        Label::<Round>::at(&self.0.table, action).to_string()
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
            self.0.play(parse_label::<Round>(Some(&self.0.table), name).unwrap());
        }
    }

    /// The same, on a copy.
    #[track_caller]
    pub fn after(&self, labels: &str) -> Self {
        let mut copy = *self;
        copy.play(labels);
        copy
    }

    /// The set to beat as rank, size and jokers; none when the table is empty. The rank of low jokers
    /// alone is `*`.
    pub fn table(&self) -> Option<(&'static str, u8, u8)> {
        let trick = &self.0.table.trick;
        let rank = JOKER - usize::from(trick.strength);
        (trick.size > 0).then(|| (self.0.table.ladder().name(rank), trick.size, trick.wilds))
    }

    /// The seats by position.
    pub fn order(&self) -> Vec<u8> {
        self.0.table.order[..usize::from(self.players())].iter().map(|s| s.0).collect()
    }

    /// The positions with only one card announced.
    pub fn one_card(&self) -> Vec<u8> {
        self.0.table.one_card.iter().collect()
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

    /// Settles the finished round.
    pub fn settle(&self) -> (Payoff, Standing) {
        assert_eq!(self.turn(), None, "the round is not over");
        let table = &self.0.table;
        let mut standing = Standing {
            rounds: table.round - 1,
            players: table.players,
            order: table.order,
            points: table.points,
            tahimi: [0; 12],
        };
        let payoff = self.0.settle(&mut standing);
        (payoff, standing)
    }

    /// Everybody plays what is legal first (the smallest id) until the round is over.
    pub fn play_out(&mut self) {
        while let Turn::Decide(seat) = self.0.turn() {
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

/// The label of an action with the names of the standard deck.
pub fn label(action: ActionId) -> String {
    Label::<Round>::of(action).to_string()
}
