//! Helpers for tests of determinization.

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Game, Turn};
use cardsharp_engine::hands::RankCounts;
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::Draw;

use super::PerPosition;

/// Plays sessions with random legal moves, and calls `look` before each decision and at the end of each round.
pub fn walk<G: Game>(
    rules: impl Fn(&mut Draw) -> G::Rules,
    sessions: u64,
    mut look: impl FnMut(&G, &mut Draw),
) {
    for seed in 0..sessions {
        let mut draw = Draw::new(seed, 5);
        let mut session = Session::<G>::new(rules(&mut draw), seed);
        loop {
            while let Turn::Decide(seat) = session.round().turn() {
                look(session.round(), &mut draw);
                let legal = G::legal(session.round().view(seat));
                let action = legal.random(&mut draw);
                session.round_mut().play(action.unwrap_or_default());
            }
            look(session.round(), &mut draw);
            session.settle();
            if session.is_last() {
                break;
            }
            session.deal_next();
        }
    }
}

/// A round after the scripted player has made this number of decisions.
pub fn begun<G: Game>(rules: G::Rules, seed: u64, decisions: u32) -> G {
    let mut session = Session::<G>::new(rules, seed);
    for _ in 0..decisions {
        let Turn::Decide(seat) = session.round().turn() else { break };
        let action = G::scripted(session.round().view(seat));
        session.round_mut().play(action);
    }
    *session.round()
}

/// Asserts that a count from independent draws is near its expected value, within six standard deviations.
pub fn assert_near(found: u32, expected: f64, what: std::fmt::Arguments<'_>) {
    let tolerance = 6.0 * expected.sqrt() + 1.0;
    assert!((f64::from(found) - expected).abs() < tolerance, "{what}: {found}, not {expected}");
}

/// Asserts that deals distribute `pool` uniformly: each position holds each card with a frequency proportional to its
/// hand size in `size`.
pub fn assert_uniform<const N: usize>(
    pool: &RankCounts<N>,
    size: &PerPosition<u8>,
    deals: u32,
    mut deal: impl FnMut(u64) -> PerPosition<RankCounts<N>>,
) {
    let mut held = [[0u32; N]; MAX_SEATS];
    for seed in 0..deals {
        for (held, hand) in held.iter_mut().zip(deal(u64::from(seed))) {
            held.iter_mut().zip(hand.0).for_each(|(all, n)| *all += u32::from(n));
        }
    }
    let unseen = f64::from(pool.total());
    for (position, held) in held.iter().enumerate().filter(|&(position, _)| size[position] > 0) {
        for (rank, &found) in held.iter().enumerate() {
            let share = f64::from(size[position]) / unseen;
            let expected = share * f64::from(pool.0[rank]) * f64::from(deals);
            assert_near(found, expected, format_args!("position {position}, rank index {rank}"));
        }
    }
}
