//! A round: whose turn it is, playing cards, going out, and the results.

use cardsharp_climbing::{self as climbing, Set};
use cardsharp_engine::game::{Payoff, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::{ActionId, MAX_SEATS, Seat};

use super::actions::Move;
use super::deck::{JOKER, RANKS};
use super::opening;
use super::rules::{Reward, Rules, Seating};
use super::state::{PrivateState, PublicState, Round, SessionState, Stage};

// The game interface: whose turn it is, and which function handles each move.

impl Play for Round {
    const NAME: &'static str = "tahimi";
    const TITLE: &'static str = "Tahimi";
    const VIEW: u32 = 3;
    type Rules = Rules;
    type SessionState = SessionState;
    type PublicState = PublicState;
    type PrivateState = PrivateState;

    fn seating(rules: &Rules, draw: &mut Draw) -> SessionState {
        let order = climbing::seated(rules.players, rules.seating == Seating::Random, draw);
        SessionState {
            rounds: 0,
            players: rules.players,
            order,
            points: [0; MAX_SEATS],
            tahimi: [0; MAX_SEATS],
        }
    }

    fn deal(rules: &Rules, standing: &SessionState, rng: DealRng) -> Self {
        opening::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        self.table.present()
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.table.stage != Stage::Play {
            Turn::Decide(self.table.order[usize::from(self.asking)])
        } else if self.table.trick.is_over() {
            Turn::RoundOver
        } else {
            Turn::Decide(self.table.order[usize::from(self.table.trick.turn)])
        }
    }

    fn table(&self) -> &PublicState {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &PrivateState {
        &self.own[usize::from(self.table.position_of(seat))]
    }

    #[inline(always)]
    fn play(&mut self, action: ActionId) {
        match Move::of(action) {
            Some(Move::Play(set)) => play_set(self, set.set()),
            Some(Move::Pass) => pass(self),
            Some(Move::Give(rank)) => opening::give_back(self, rank),
            Some(Move::PayJokers(jokers)) => opening::pay_jokers(self, jokers.get() as u8),
            Some(Move::Decree(entry)) => opening::decree(self, entry),
            None => {}
        }
    }

    fn settle(&self, standing: &mut SessionState) -> Payoff {
        settle(self, standing)
    }
}

// Playing cards, going out, and the results of a round.

/// The player whose turn it is plays a set.
#[inline(always)]
fn play_set(round: &mut Round, set: Set) {
    let table = &mut round.table;
    let position = table.trick.turn;
    let hand = &mut round.own[usize::from(position)].hand;
    let Set { rank, naturals, wilds: jokers } = set;
    if jokers != 0 {
        hand.0[JOKER] -= jokers;
        table.memory.record_play(position, JOKER, jokers);
    }
    if naturals != 0 {
        hand.0[usize::from(rank)] -= naturals;
        table.memory.record_play(position, usize::from(rank), naturals);
    }
    let left = &mut table.cards[usize::from(position)];
    *left -= set.size();
    table.one_card = table.one_card.with(position, *left == 1);
    let emptied = *left == 0;
    let trick_rules = table.trick_rules();
    table.trick.play(set.strength::<RANKS>(), set.size(), jokers, emptied, trick_rules);
}

/// The player whose turn it is passes.
#[inline(always)]
fn pass(round: &mut Round) {
    let table = &mut round.table;
    table.memory.record_pass(table.trick.turn, table.trick.size, table.trick.strength);
    table.trick.pass(table.trick_rules());
}

/// The places, points and rewards of a finished round. Updates the standing for the next round.
fn settle(round: &Round, standing: &mut SessionState) -> Payoff {
    let table = &round.table;
    let n = i32::from(table.players);
    let mut payoff = Payoff { seats: table.rules.seats(), ..Payoff::default() };
    let mut order = [Seat(0); MAX_SEATS];
    let mut tahimi = standing.tahimi;
    for (place, &position) in table.trick.out[..usize::from(table.players)].iter().enumerate() {
        let seat = table.order[usize::from(position)];
        order[place] = seat;
        let q = place as i32 + 1;
        payoff.place[seat.index()] = q as u8;
        payoff.points[seat.index()] = n - q;
        payoff.reward[seat.index()] = match table.rules.shaping.reward {
            Reward::RankLinear => 1.0 - 2.0 * (q - 1) as f32 / (n - 1) as f32,
            Reward::Points => (n - q) as f32,
            Reward::TahimiOnly => f32::from(u8::from(q == 1)),
        };
        tahimi[seat.index()] += u16::from(q == 1);
    }
    let mut points = table.points;
    points.iter_mut().zip(payoff.points).for_each(|(total, new)| *total += new);
    *standing = SessionState { rounds: table.round, players: table.players, order, points, tahimi };
    payoff
}
