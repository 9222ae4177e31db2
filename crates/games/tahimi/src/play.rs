//! Playing cards, going out, and the results of a round.

use cardsharp_climbing::Set;
use cardsharp_engine::game::Payoff;
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::{MAX_SEATS, Seat};

use super::deck::{JOKER, RANKS};
use super::rules::Reward;
use super::state::{Round, Standing};

/// The player whose turn it is plays a set.
#[inline(always)]
pub fn set(round: &mut Round, set: Set) {
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
    let customs = table.customs();
    table.trick.play(set.strength::<RANKS>(), set.size(), jokers, emptied, customs);
}

/// The player whose turn it is passes.
#[inline(always)]
pub fn pass(round: &mut Round) {
    let table = &mut round.table;
    table.memory.record_pass(table.trick.turn, table.trick.size, table.trick.strength);
    table.trick.pass(table.customs());
}

/// The places, points and rewards of a finished round. Updates the standing for the next round.
pub fn settle(round: &Round, standing: &mut Standing) -> Payoff {
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
    *standing = Standing { rounds: table.round, players: table.players, order, points, tahimi };
    payoff
}
