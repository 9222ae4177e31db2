//! Rounds under test, either right after the deal or in the middle of the play.

use cardsharp_climbing::testing::go_out;
use cardsharp_engine::game::Play;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{MAX_SEATS, Seat};
use serde_json::Value;

use super::super::deck::{Cards, JOKER, RANKS};
use super::super::rules::{Rules, Seating};
use super::super::state::{PrivateState, Stage};
use super::super::{Round, SessionState, opening};
use super::situation::{Situation, hand, rules};

/// A round under construction. Seat `p` has position `p` unless `order` says otherwise.
#[derive(Clone)]
pub struct Setup {
    rules: Rules,
    standing: SessionState,
    hands: Vec<Cards>,
    out: Vec<u8>,
    turn: Option<u8>,
    decree: Option<usize>,
}

/// The standing before the first round, with seat `p` at position `p`.
pub fn fresh(rules: &Rules) -> SessionState {
    Round::seating(&Rules { seating: Seating::Fixed, ..*rules }, &mut Draw::new(0, 0))
}

/// Hands by position. Positions beyond the list get none of the named cards.
pub fn setup(options: Value, hands: &[&str]) -> Setup {
    let rules = rules(options);
    let standing = fresh(&rules);
    let mut hands: Vec<Cards> = hands.iter().map(|text| hand(text)).collect();
    hands.resize(usize::from(rules.players), Cards::NONE);
    Setup { rules, standing, hands, out: Vec::new(), turn: None, decree: None }
}

impl Setup {
    /// Sets the seats by position.
    pub fn order(mut self, seats: &[u8]) -> Self {
        seats.iter().enumerate().for_each(|(p, &seat)| self.standing.order[p] = Seat(seat));
        self
    }

    /// Sets the number of the round in its session, and the points by seat so far.
    pub fn round_number(mut self, number: u16, points: &[i32]) -> Self {
        self.standing.rounds = number - 1;
        self.standing.points[..points.len()].copy_from_slice(points);
        self
    }

    /// Sets the entry of the menu that the Tahimi decrees.
    pub fn decreed(mut self, entry: usize) -> Self {
        self.decree = Some(entry);
        self
    }

    /// Sets the players without cards, in the order of going out.
    pub fn out(mut self, positions: &[u8]) -> Self {
        self.out = positions.to_vec();
        self
    }

    /// Sets the position that leads.
    pub fn turn(mut self, position: u8) -> Self {
        self.turn = Some(position);
        self
    }

    /// A round of these rules with the named cards, and the additional cards of each position.
    ///
    /// Unnamed cards fill the hands: the lowest cards go to the bottom of the table, and jokers to the top.
    fn deal(&self) -> (Round, Vec<Cards>) {
        let mut round = Round::deal(&self.rules, &self.standing, DealRng::new(0, 1));
        if let Some(entry) = self.decree {
            let mut s = Situation::of(round);
            s.play(&format!("decree {entry}"));
            round = s.0;
        }
        let mut rest = round.table.deck;
        for hand in &self.hands {
            assert!(rest.contains(hand), "the hands hold more of a card than the deck");
            rest.remove(hand);
        }
        let mut pack: Vec<usize> = rest.cards().filter(|&rank| rank != JOKER).collect();
        pack.splice(..0, vec![JOKER; usize::from(rest.0[JOKER])]);
        let mut more = vec![Cards::NONE; self.hands.len()];
        for position in (0..self.hands.len()).rev() {
            let dealt = u32::from(round.table.cards[position]);
            let room = dealt.checked_sub(self.hands[position].total()).expect("a hand larger than dealt");
            for _ in 0..room {
                more[position].0[pack.pop().expect("the deck is too small")] += 1;
            }
        }
        (round, more)
    }

    /// The round before the deal, with the decree due.
    pub fn undecided(self) -> Situation {
        Situation::of(Round::deal(&self.rules, &self.standing, DealRng::new(0, 1)))
    }

    /// The round right after the deal.
    pub fn dealt(self) -> Situation {
        let (mut round, more) = self.deal();
        round.own = [PrivateState::dealt(Cards::NONE); MAX_SEATS];
        for ((own, hand), more) in round.own.iter_mut().zip(&self.hands).zip(&more) {
            own.hand = *hand;
            own.hand.add(more);
        }
        if round.table.taxes() {
            opening::start_taxes(&mut round);
        }
        Situation::of(round)
    }

    /// The round in play with an empty table. Hands are exactly as named, and all other cards have been played.
    ///
    /// Players without cards are out, in ascending order or as set by [`Setup::out`].
    pub fn playing(self) -> Situation {
        let (mut round, played) = self.deal();
        round.own = [PrivateState::dealt(Cards::NONE); MAX_SEATS];
        round.asking = 0;
        let table = &mut round.table;
        table.stage = Stage::Play;
        for (p, (hand, cards)) in self.hands.iter().zip(&played).enumerate() {
            round.own[p].hand = *hand;
            table.cards[p] = hand.total() as u8;
            for rank in 0..RANKS {
                table.memory.record_play(p as u8, rank, cards.0[rank]);
            }
        }
        go_out(&mut table.trick, &self.hands, &self.out, self.turn);
        Situation::of(round)
    }
}
