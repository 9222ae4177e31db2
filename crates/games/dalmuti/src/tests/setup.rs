//! Hands under test, either right after the deal or in the middle of the play.

use cardsharp_climbing::testing::go_out;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{MAX_SEATS, Seat};
use serde_json::Value;

use super::super::deck::{Cards, JESTER, RANKS};
use super::super::opening;
use super::super::rules::Rules;
use super::super::state::{PrivateState, Stage};
use super::super::{Round, SessionState};
use super::situation::{Situation, hand, rules};

/// A hand under construction. Seat `p` has position `p` unless `order` says otherwise.
#[derive(Clone)]
pub struct Setup {
    rules: Rules,
    standing: SessionState,
    hands: Vec<Cards>,
    exposed: Option<(u8, usize)>,
    out: Vec<u8>,
    turn: Option<u8>,
    seed: u64,
}

/// Hands by position. Positions beyond the list get none of the named cards.
pub fn setup(options: Value, hands: &[&str]) -> Setup {
    let rules = rules(options);
    let mut standing = SessionState { hands: 0, order: [Seat(0); MAX_SEATS], points: [0; MAX_SEATS] };
    for p in 0..rules.players {
        standing.order[usize::from(p)] = Seat(p);
    }
    let mut hands: Vec<Cards> = hands.iter().map(|text| hand(text)).collect();
    hands.resize(usize::from(rules.players), Cards::NONE);
    Setup { rules, standing, hands, exposed: None, out: Vec::new(), turn: None, seed: 0 }
}

impl Setup {
    /// Sets the seats by position.
    pub fn order(mut self, seats: &[u8]) -> Self {
        seats.iter().enumerate().for_each(|(p, &seat)| self.standing.order[p] = Seat(seat));
        self
    }

    /// Sets the number of the hand in its session, and the points by seat so far.
    pub fn hand_number(mut self, number: u16, points: &[i32]) -> Self {
        self.standing.hands = number - 1;
        self.standing.points[..points.len()].copy_from_slice(points);
        self
    }

    /// Exposes this card while it is dealt to `position`.
    pub fn exposed(mut self, card: &str, position: usize) -> Self {
        self.exposed = Some((hand(card).cards().next().unwrap() as u8, position));
        self
    }

    /// Sets another random stream for chance after the deal.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
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

    /// The cards that no hand names: the Jesters first, then from the Peasants down.
    fn leftover(&self) -> Vec<usize> {
        let mut rest = self.rules.deck();
        for hand in &self.hands {
            assert!(rest.contains(hand), "the hands hold more of a card than the deck");
            rest.remove(hand);
        }
        rest.cards().collect::<Vec<_>>().into_iter().rev().collect()
    }

    /// Deals the unnamed cards one at a time to positions with room, and no position gets a second Jester. Returns the
    /// cards of each position.
    fn distribute(&self, room: &mut [u32]) -> Vec<Cards> {
        let n = room.len();
        let mut got = vec![Cards::NONE; n];
        let mut next = 0;
        for rank in self.leftover() {
            let second = |p: usize| rank == JESTER && self.hands[p].0[JESTER] + got[p].0[JESTER] > 0;
            let taker = (0..n).map(|i| (next + i) % n).find(|&p| room[p] > 0 && !second(p));
            let taker = taker.expect("more cards than room");
            got[taker].0[rank] += 1;
            room[taker] -= 1;
            next = taker + 1;
        }
        assert!(room.iter().all(|&r| r == 0), "the deck is too small");
        got
    }

    fn room(&self) -> Vec<u32> {
        let (cards, n) = (self.rules.deck().total() as usize, self.hands.len());
        let dealt = |p: usize| (0..cards).filter(|card| card % n == p).count() as u32;
        (0..n)
            .map(|p| dealt(p).checked_sub(self.hands[p].total()).expect("a hand larger than what is dealt"))
            .collect()
    }

    fn round(&self, hands: &[Cards]) -> Round {
        let mut own = [PrivateState::dealt(Cards::NONE); MAX_SEATS];
        own.iter_mut().zip(hands).for_each(|(own, hand)| own.hand = *hand);
        let table = opening::fresh_table(&self.rules, &self.standing);
        Round { table, own, asking: 0, rng: DealRng::new(self.seed, 1) }
    }

    /// The hand right after the deal. Unnamed cards fill the hands.
    pub fn dealt(self) -> Situation {
        let filled = self.distribute(&mut self.room());
        let hands: Vec<Cards> = self
            .hands
            .iter()
            .zip(filled)
            .map(|(hand, more)| {
                let mut hand = *hand;
                hand.add(&more);
                hand
            })
            .collect();
        let mut round = self.round(&hands);
        opening::begin(&mut round, self.exposed);
        Situation::of(round)
    }

    /// The hand in play with an empty table. Hands are exactly as named, and all other cards have been played.
    ///
    /// Players without cards are out, in ascending order or as set by [`Setup::out`].
    pub fn playing(self) -> Situation {
        let mut round = self.round(&self.hands);
        let table = &mut round.table;
        table.stage = Stage::Play;
        let played = self.distribute(&mut self.room());
        for (p, cards) in played.iter().enumerate() {
            for rank in 0..RANKS {
                table.memory.record_play(p as u8, rank, cards.0[rank]);
            }
        }
        go_out(&mut table.trick, &self.hands, &self.out, self.turn);
        Situation::of(round)
    }
}
