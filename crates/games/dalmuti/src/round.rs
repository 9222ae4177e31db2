//! A hand: whose turn it is, playing cards, going out, the results, and how far a view determines its end.

use cardsharp_climbing::observation::unseen;
use cardsharp_climbing::{self as climbing, Set, foresight};
use cardsharp_engine::game::{Actions, Foresee, Foresight, Key, Payoff, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::mask::Mask as _;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{ActionId, MAX_SEATS, Seat};

use super::actions::Move;
use super::deck::{JESTER, RANKS};
use super::opening;
use super::rules::{Reward, Rules, Scoring, Seating};
use super::state::{PrivateState, PublicState, Round, SessionState, Stage, View};

impl Play for Round {
    const NAME: &'static str = "dalmuti";
    const TITLE: &'static str = "The Great Dalmuti";
    const VIEW: u32 = 3;
    type Rules = Rules;
    type SessionState = SessionState;
    type PublicState = PublicState;
    type PrivateState = PrivateState;

    fn seating(rules: &Rules, draw: &mut Draw) -> SessionState {
        let order = climbing::seated(rules.players, rules.seating == Seating::Random, draw);
        SessionState { hands: 0, order, points: [0; MAX_SEATS] }
    }

    fn deal(rules: &Rules, standing: &SessionState, rng: DealRng) -> Self {
        opening::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        Positions::first(self.table.players())
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
        &self.own[usize::from(self.table.position[seat.index()])]
    }

    #[inline(always)]
    fn play(&mut self, action: ActionId) {
        match Move::of(action) {
            Some(Move::Play(set)) => play_set(self, set.set()),
            Some(Move::Pass) => pass(self),
            Some(Move::Give(rank)) => opening::pick(self, rank),
            Some(Move::NoExchange) => opening::keep_cards(self),
            Some(Move::Exchange(with)) => opening::propose(self, with),
            Some(Move::CallRevolution) => opening::call_revolution(self),
            Some(Move::DeclineRevolution) => opening::decline_revolution(self),
            Some(Move::KeepMisdeal) => opening::keep_misdeal(self),
            Some(Move::MisdealToPeon) => opening::misdeal_to_peon(self),
            None => {}
        }
    }

    fn settle(&self, standing: &mut SessionState) -> Payoff {
        settle(self, standing)
    }
}

// Playing cards, going out, and the results of a hand.

/// The player whose turn it is plays a set.
#[inline(always)]
fn play_set(round: &mut Round, set: Set) {
    let table = &mut round.table;
    let position = table.trick.turn;
    let hand = &mut round.own[usize::from(position)].hand;
    let Set { rank, naturals, wilds: jesters } = set;
    hand.0[JESTER] -= jesters;
    if jesters != 0 {
        table.memory.record_play(position, JESTER, jesters);
    }
    if naturals != 0 {
        hand.0[usize::from(rank)] -= naturals;
        table.memory.record_play(position, usize::from(rank), naturals);
    }
    let emptied = hand.0 == [0; _];
    let trick_rules = table.trick_rules();
    table.trick.play(set.strength::<RANKS>(), set.size(), jesters, emptied, trick_rules);
}

/// The player whose turn it is passes.
#[inline(always)]
fn pass(round: &mut Round) {
    let table = &mut round.table;
    table.memory.record_pass(table.trick.turn, table.trick.size, table.trick.strength);
    let trick_rules = table.trick_rules();
    table.trick.pass(trick_rules);
}

/// The places, points and rewards of a finished hand. Updates the standing for the next hand.
fn settle(round: &Round, standing: &mut SessionState) -> Payoff {
    let table = &round.table;
    let players = table.players();
    let n = i32::from(players);
    let mut payoff = Payoff { seats: players, ..Payoff::default() };
    for p in 0..players {
        let place = table.trick.place(p);
        let q = i32::from(place);
        let rises = |position: u8| i32::from(table.trick.place(position)) < i32::from(position) + 1;
        let points = match table.rules.scoring {
            Scoring::None => 0,
            Scoring::Standard => n - q,
            Scoring::Philanthropic if p < 2 => n - q + i32::from(rises(players - 1 - p)),
            Scoring::Philanthropic => n - q,
        };
        let seat = table.order[usize::from(p)].index();
        payoff.place[seat] = place;
        payoff.points[seat] = points;
        payoff.reward[seat] = match table.rules.shaping.reward {
            Reward::RankLinear => 1.0 - 2.0 * (q - 1) as f32 / (n - 1) as f32,
            Reward::Score => points as f32,
        };
    }
    *standing = next_standing(round, &payoff);
    payoff
}

fn next_standing(round: &Round, payoff: &Payoff) -> SessionState {
    let table = &round.table;
    let mut order = [Seat(0); MAX_SEATS];
    for (p, &out) in table.trick.out[..usize::from(table.players())].iter().enumerate() {
        order[p] = table.order[usize::from(out)];
    }
    let mut points = table.points;
    points.iter_mut().zip(payoff.points).for_each(|(total, new)| *total += new);
    SessionState { hands: table.hand, order, points }
}

// Exact knowledge in the endgame: how the hand ends with two players left, and who goes out uninterrupted.

impl Foresee for Round {
    fn foresight(view: View<'_>) -> Foresight {
        let View { table, own, .. } = view;
        let me = table.position[view.seat.index()];
        // With more than two players left, such points depend on the places of others.
        let by_place = table.rules.scoring != Scoring::Philanthropic || table.trick.still_in.len() == 2;
        if table.stage != Stage::Play || !by_place {
            return Foresight::Nothing;
        }
        let unseen = || unseen(&table.deck.0, &own.hand.0, &table.memory.gone.0);
        foresight::foresight(&table.trick, me, &own.hand, unseen, |position| table.held(position))
    }

    fn is_foreseen(&self, before: &Self, viewer: Seat) -> bool {
        let (table, me) = (&self.table, self.table.position[viewer.index()]);
        let tricks = [&before.table.trick, &table.trick];
        let played = table.memory.total != before.table.memory.total;
        let hand = |position: usize| self.own[position].hand;
        foresight::is_foreseen(tricks, me, played, hand, |trick, hand| {
            let own = PrivateState { hand, ..self.own[usize::from(trick.turn)] };
            let (seat, table) =
                (table.order[usize::from(trick.turn)], PublicState { trick: *trick, ..*table });
            Self::legal(View { seat, table: &table, own: &own }).count()
        })
    }

    fn stakes(&self, seat: Seat) -> [f32; 2] {
        let me = self.table.position[seat.index()];
        foresight::stakes(self, &self.table.rules, (seat, me), |round| &mut round.table.trick)
    }

    fn key(&self) -> Option<Key> {
        Some(foresight::key(&self.table.trick, |position| self.own[position].hand))
    }
}
