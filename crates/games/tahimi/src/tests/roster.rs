//! Joining and leaving between rounds, and the positions of new players.

use cardsharp_engine::game::Play;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{MAX_SEATS, Seat};
use serde_json::{Value, json};

use super::super::roster::{Order, apply, drawn_place};
use super::super::{Round, SessionState};
use super::situation::{Inspect as _, Situation, rules};

/// An order with these seats by position.
fn order(seats: &[u8]) -> Order {
    let mut order = Order { players: seats.len() as u8, seats: [Seat(0); MAX_SEATS] };
    order.seats.iter_mut().zip(seats).for_each(|(place, &seat)| *place = Seat(seat));
    order
}

/// The order before round 2 if `seats` changes by this script.
fn after(policy: &str, seats: &[u8], script: Value, rng: &mut DealRng) -> Vec<u8> {
    let players = seats.iter().max().unwrap() + 1;
    let rules = rules(json!({"players": players, "join_policy": policy, "roster_script": script}));
    let changed = apply(rules.roster_script.as_slice(), rules.join_policy, 2, order(seats), rng);
    let (kept, rest) = changed.order.seats.split_at(usize::from(changed.order.players));
    assert!(rest.iter().all(|&seat| seat == Seat(0)));
    kept.iter().map(|seat| seat.0).collect()
}

fn joined(policy: &str, seats: &[u8]) -> Vec<u8> {
    let script = json!([{"round": 2, "join": seats.iter().max().unwrap() + 1}]);
    after(policy, seats, script, &mut DealRng::new(1, 0))
}

#[test]
fn a_newcomer_sits_in_the_middle() {
    assert_eq!(joined("middle", &[2, 0, 1]), [2, 0, 3, 1]);
    assert_eq!(joined("middle", &[3, 1, 0, 2]), [3, 1, 4, 0, 2]);
    assert_eq!(joined("middle", &[4, 3, 2, 1, 0]), [4, 3, 2, 5, 1, 0]);
    assert_eq!(joined("middle", &[0, 1, 2, 3, 4, 5]), [0, 1, 2, 6, 3, 4, 5]);
    assert_eq!(joined("middle", &[0, 1, 2, 3, 4, 5, 6]), [0, 1, 2, 3, 7, 4, 5, 6]);
}

#[test]
fn or_at_the_bottom() {
    assert_eq!(joined("serf", &[2, 0, 1]), [2, 0, 1, 3]);
    assert_eq!(joined("serf", &[6, 5, 4, 3, 2, 1, 0]), [6, 5, 4, 3, 2, 1, 0, 7]);
}

#[test]
fn or_where_a_drawn_card_says() {
    // Draws from 2 to A with four players: three ranks for each place, from the bottom up.
    let places: Vec<u8> = (0..13).map(|card| drawn_place(4, card)).collect();
    assert_eq!(places, [4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0]);
    // With three players an ace moves to the top.
    let places: Vec<u8> = (0..13).map(|card| drawn_place(3, card)).collect();
    assert_eq!(places, [3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0]);
    // With seven players no new player enters above the fifth place from the bottom.
    let places: Vec<u8> = (0..13).map(|card| drawn_place(7, card)).collect();
    assert_eq!(places, [7, 7, 7, 6, 6, 6, 5, 5, 5, 4, 4, 4, 3]);
    let mut seen = [0u32; 5];
    for seed in 0..13_000 {
        let script = json!([{"round": 2, "join": 4}]);
        let order = after("random", &[0, 1, 2, 3], script, &mut DealRng::new(seed, 0));
        let others: Vec<u8> = order.iter().copied().filter(|&seat| seat != 4).collect();
        assert_eq!(others, [0, 1, 2, 3], "the others keep their order");
        seen[order.iter().position(|&seat| seat == 4).unwrap()] += 1;
    }
    // 1,000 aces are expected, and 3,000 draws for each of the other places.
    for (found, expected) in seen.into_iter().zip([1_000.0, 3_000.0, 3_000.0, 3_000.0, 3_000.0f64]) {
        assert!((f64::from(found) - expected).abs() < 4.0 * expected.sqrt(), "{seen:?}");
    }
}

#[test]
fn or_everybody_draws_again() {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..9_600 {
        let script = json!([{"round": 2, "join": 3}]);
        *seen.entry(after("redraw", &[0, 1, 2], script, &mut DealRng::new(seed, 0))).or_insert(0u32) += 1;
    }
    assert_eq!(seen.len(), 24, "all permutations of four");
    assert!(seen.values().all(|n| (310..490).contains(n)), "{seen:?}");
}

#[test]
fn who_is_left_closes_ranks() {
    let leave = |script| after("middle", &[4, 2, 0, 1, 3], script, &mut DealRng::new(1, 0));
    assert_eq!(leave(json!([{"round": 2, "leave": 4}])), [2, 0, 1, 3]);
    assert_eq!(leave(json!([{"round": 2, "leave": 3}])), [4, 2, 0, 1]);
    assert_eq!(leave(json!([{"round": 2, "leave": 0}, {"round": 2, "leave": 4}])), [2, 1, 3]);
}

#[test]
fn leaves_come_before_joins_and_joins_one_at_a_time() {
    let change = |script| after("middle", &[0, 1, 2, 3], script, &mut DealRng::new(1, 0));
    let both = json!([{"round": 2, "join": 4}, {"round": 2, "join": 5}]);
    assert_eq!(change(both), [0, 1, 4, 5, 2, 3], "two above the first, three above the second");
    let swap = json!([{"round": 2, "join": 4}, {"round": 2, "leave": 0}]);
    assert_eq!(change(swap), [1, 2, 4, 3], "two of the three who are left are above");
}

#[test]
fn a_player_who_returns_is_placed_like_a_newcomer() {
    let script = json!([{"round": 2, "leave": 1}, {"round": 2, "join": 1}]);
    assert_eq!(after("middle", &[1, 0, 2, 3], script.clone(), &mut DealRng::new(1, 0)), [0, 2, 1, 3]);
    assert_eq!(after("serf", &[1, 0, 2, 3], script, &mut DealRng::new(1, 0)), [0, 2, 3, 1]);
}

#[test]
fn only_the_changes_of_the_round_are_made() {
    let script = json!([{"round": 3, "leave": 0}, {"round": 2, "join": 4}]);
    assert_eq!(after("serf", &[0, 1, 2, 3], script, &mut DealRng::new(1, 0)), [0, 1, 2, 3, 4]);
}

/// Round 2 of a session in which seats 3, 1, 0, 2 finished the first round in this order.
fn second(options: Value, seed: u64) -> Situation {
    let rules = rules(options);
    let mut standing =
        SessionState { rounds: 1, players: 4, order: [Seat(0); 12], points: [0; 12], tahimi: [0; 12] };
    [3, 1, 0, 2].iter().zip(&mut standing.order).for_each(|(&seat, place)| *place = Seat(seat));
    standing.points[..4].copy_from_slice(&[1, 2, 0, 3]);
    Situation::of(Round::deal(&rules, &standing, DealRng::new(seed, 2)))
}

#[test]
fn the_table_tells_who_came_and_went() {
    let s = second(
        json!({"roster_script": [
            {"round": 2, "leave": 1}, {"round": 2, "join": 4}, {"round": 2, "join": 5}, {"round": 3, "leave": 0},
        ]}),
        1,
    );
    let table = &s.0.table;
    assert_eq!((s.order(), s.players()), (vec![3, 0, 5, 4, 2], 5));
    assert_eq!((table.left.iter().collect::<Vec<_>>(), table.joined.iter().collect()), (vec![1], vec![4, 5]));
    assert_eq!(s.0.present().iter().collect::<Vec<_>>(), [0, 2, 3, 4, 5]);
    assert_eq!(json!(table.position[..6]), json!([1, null, 4, 0, 3, 2]));
    assert_eq!(table.points[..6], [1, 2, 0, 3, 0, 0], "points stay with those who left");
}

#[test]
fn taxes_after_a_join_use_the_new_positions() {
    for policy in ["middle", "serf", "random"] {
        let s = second(json!({"join_policy": policy, "roster_script": [{"round": 2, "join": 4}]}), 5);
        assert!(!s.0.table.first && s.0.table.taxes());
        assert_eq!(s.0.own[4].partner, Some(0), "{policy}: the fifth position pays the first");
        assert_eq!((s.given(4), s.given(4).split(' ').count()), (s.received(0), 2));
    }
}

#[test]
fn a_round_after_a_new_draw_counts_as_a_first_one() {
    let join = |more: Value| {
        let mut options = json!({"join_policy": "redraw", "roster_script": [{"round": 2, "join": 4}]});
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        second(options, 2)
    };
    let s = join(json!({}));
    assert!(s.0.table.first && !s.0.table.taxes());
    assert_eq!(s.ones(0, "options"), [5, 12], "the row shows it as a first one");
    assert!(join(json!({"first_round_tax": true})).0.table.taxes());
    // A player who only leaves causes no draw.
    let s = second(
        json!({"join_policy": "redraw", "roster_script": [{"round": 2, "leave": 0}], "first_round_tax": false}),
        2,
    );
    assert_eq!((s.order(), s.0.table.first), (vec![3, 1, 2], false));
    assert_eq!(s.ones(0, "options"), [5, 14], "taxes are due");
}

#[test]
fn every_join_draws_anew_for_all() {
    for seed in 0..50 {
        let script = json!([{"round": 2, "join": 3}, {"round": 2, "join": 4}]);
        let found = after("redraw", &[0, 1, 2], script, &mut DealRng::new(seed, 0));
        // One random stream: the second shuffle continues where the first one ended.
        let mut draw = Draw::new(seed, 0);
        let mut order = vec![0, 1, 2, 3];
        draw.shuffle(&mut order);
        order.push(4);
        draw.shuffle(&mut order);
        assert_eq!(found, order);
    }
}

#[test]
fn the_size_of_the_table_decides_on_deck_taxes_and_titles() {
    let s = second(
        json!({"deck": "special", "roster_script": [{"round": 2, "join": 4}, {"round": 2, "join": 5}]}),
        3,
    );
    assert_eq!((s.players(), s.0.table.deck.total()), (6, 78));
    assert_eq!(s.received(0).split(' ').count(), 3, "progressive taxes of six");
    let s = second(json!({"deck": "special", "roster_script": [{"round": 2, "leave": 3}]}), 3);
    assert_eq!((s.players(), s.0.table.deck.total()), (3, 51));
}
