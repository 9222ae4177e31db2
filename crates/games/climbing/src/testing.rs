//! Helpers for tests of the climbing games.

use cardsharp_engine::hands::RankCounts;
use cardsharp_engine::mask::{self, Mask};
use cardsharp_engine::rng::Draw;
use cardsharp_engine::testing::{Placed, Situation};
use cardsharp_engine::{ActionId, Game, Seat, Session, Turn};

use super::determinize::PerPosition;
use super::{Set, Trick};

/// Sets up a trick in which these hands are left, by position. `out` lists the players without cards in the order in
/// which they went out; if empty, they went out in ascending order. The player at `turn` leads, or else the first who
/// holds cards.
pub fn go_out<const N: usize>(trick: &mut Trick, hands: &[RankCounts<N>], out: &[u8], turn: Option<u8>) {
    let empty = |p: &u8| hands[usize::from(*p)].total() == 0;
    let all: Vec<u8> = (0..hands.len() as u8).filter(empty).collect();
    for position in if out.is_empty() { &all[..] } else { out } {
        assert!(empty(position));
        trick.still_in = trick.still_in.without(*position);
        trick.out[usize::from(trick.out_count)] = *position;
        trick.out_count += 1;
    }
    assert!(!trick.still_in.iter().any(|p| empty(&p)));
    trick.turn = turn.unwrap_or(trick.still_in.lowest());
}

/// Asserts that the moves play `count` sets, each with one id: `id` returns the id of a set that a deck can form, and
/// `set` the set of an id.
pub fn assert_sets_are_moves(
    count: usize,
    id: impl Fn(Set) -> Option<ActionId>,
    set: impl Fn(ActionId) -> Option<Set>,
) {
    let ranks = (0..22).flat_map(|rank| (0..16).map(move |naturals| (rank, naturals)));
    let sets = ranks.flat_map(|(rank, naturals)| (0..4).map(move |wilds| Set { rank, naturals, wilds }));
    let moves = sets.filter_map(|made| Some((made, id(made)?))).inspect(|&(made, id)| {
        assert_eq!(set(id), Some(made), "{id:?}");
    });
    assert_eq!(moves.count(), count);
}

/// Asserts that all orders of four players are equally likely.
pub fn assert_uniform_seating(order: impl Fn(&mut Draw) -> PerPosition<Seat>) {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..9_600 {
        let order = order(&mut Draw::new(seed, 0));
        *seen.entry([order[0].0, order[1].0, order[2].0, order[3].0]).or_insert(0u32) += 1;
    }
    assert_eq!(seen.len(), 24, "all permutations of four");
    // Each order is expected 400 times, with a standard deviation below 20.
    assert!(seen.values().all(|n| (310..490).contains(n)), "{seen:?}");
}

/// Plays the example on a page of rules, as its tables describe it. `set_up` builds the round from the hands. `leads`
/// checks that the player to act leads. `is_out` checks that position 2, who goes out in the example, has no cards
/// left.
pub fn assert_example_is_played<G: Placed>(
    page: &'static str,
    set_up: impl FnOnce(&[&str]) -> Situation<G>,
    leads: impl Fn(&Situation<G>) -> bool,
    is_out: impl Fn(&Situation<G>) -> bool,
) {
    let part = |from: &str| page.split_once(from).unwrap().1.split_once("\n\n").unwrap().0;
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    let hands: Vec<&str> =
        part("| position | holds |\n|---|---|\n").lines().map(|line| cells(line)[1]).collect();
    let mut s = set_up(&hands);
    let mut out = 0;
    for row in part("| position | plays | |\n|---|---|---|\n").lines().map(cells) {
        for position in row[0].split(", ") {
            assert_eq!(s.turn(), position.parse().ok(), "{row:?}");
            if row[1] == "leads" {
                assert!(leads(&s));
            } else {
                s.play(row[1].trim_matches('`'));
            }
        }
        out += usize::from(row[2].contains("goes out") && is_out(&s));
    }
    assert_eq!(out, 1);
}

/// Means over rounds of uniformly random play.
#[derive(Debug)]
pub struct Figures {
    /// Decisions in a round.
    pub decisions: f64,
    /// Tricks that were taken in a round, without the trick in which the round ends.
    pub tricks: f64,
    /// Legal actions of a decision.
    pub branching: f64,
    /// Share of decisions with a single legal action, in percent.
    pub forced: f64,
}

/// Plays the first rounds of `rounds` sessions; `is_lead` returns whether a trick begins.
pub fn measure<G: Game>(rules: G::Rules, stream: u64, rounds: u32, is_lead: fn(&G) -> bool) -> Figures {
    let mut draw = Draw::new(1, stream);
    let [mut decisions, mut tricks, mut choices, mut forced] = [0u32; 4];
    for seed in 0..u64::from(rounds) {
        let mut session = Session::<G>::new(rules, seed);
        while let Turn::Decide(seat) = session.round().turn() {
            let legal = G::legal(session.round().view(seat));
            let count = mask::count(legal.words());
            tricks += u32::from(is_lead(session.round()));
            decisions += 1;
            choices += count;
            forced += u32::from(count == 1);
            let action = legal.random(&mut draw).expect("there is a legal action");
            session.round_mut().play(action);
        }
    }
    let per_round = |total: u32| f64::from(total) / f64::from(rounds);
    let per_decision = |total: u32| f64::from(total) / f64::from(decisions);
    Figures {
        decisions: per_round(decisions),
        tricks: per_round(tricks - rounds),
        branching: per_decision(choices),
        forced: 100.0 * per_decision(forced),
    }
}
