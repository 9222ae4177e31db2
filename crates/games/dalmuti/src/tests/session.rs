//! Consecutive hands.

use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Payoff, Play, Turn};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::Draw;
use serde_json::json;

use super::super::Round;
use super::situation::{Inspect as _, Situation, rules, setup};

fn play_hand(session: &mut Session<Round>, draw: &mut Draw) -> Payoff {
    while let Turn::Decide(seat) = session.round().turn() {
        let legal = Round::legal(session.round().view(seat));
        session.round_mut().play(legal.random(draw).unwrap());
    }
    session.settle()
}

#[test]
fn the_next_hands_positions_are_the_order_of_going_out() {
    let hands = ["", "9", "", "12 12", ""];
    let s = setup(json!({"players": 5}), &hands).order(&[3, 0, 4, 2, 1]).out(&[4, 0, 2]).turn(1).playing();
    let (_, standing) = s.after("9").settle();
    // Positions 4, 0, 2, 1, 3 went out; they were seats 1, 3, 4, 0, 2.
    assert_eq!(standing.order[..5], [1, 3, 4, 0, 2].map(Seat));
    assert_eq!(standing.hands, 1);
    let next = Situation::of(Round::deal(
        &rules(json!({"players": 5})),
        &standing,
        cardsharp_engine::rng::DealRng::new(1, 2),
    ));
    assert_eq!(next.order(), [1, 3, 4, 0, 2]);
    assert_eq!(next.0.table.position[..5], [3, 0, 4, 1, 2]);
    assert_eq!(next.0.table.hand, 2);
}

#[test]
fn a_session_has_as_many_hands_as_the_rules_say_and_sums_their_points() {
    for hands in [1, 2, 20] {
        let options = json!({"players": 6, "hands": hands, "scoring": "philanthropic"});
        let mut session = Session::<Round>::new(rules(options), 5);
        let mut draw = Draw::new(1, 0);
        let (mut totals, mut played) = ([0; 12], 0);
        loop {
            assert_eq!(session.round().table().points, totals);
            assert_eq!(i32::from(session.round().table().hand), played + 1);
            let payoff = play_hand(&mut session, &mut draw);
            totals.iter_mut().zip(payoff.points).for_each(|(total, new)| *total += new);
            played += 1;
            assert_eq!(session.standing().points, totals);
            assert_eq!(i32::from(session.standing().hands), played);
            for seat in 0..6 {
                let place = usize::from(payoff.place[seat]);
                assert_eq!(session.standing().order[place - 1].index(), seat);
            }
            if session.is_last() {
                break;
            }
            let order = session.standing().order;
            session.deal_next();
            // A Greater Peon with both Jesters has not decided yet, so the seating is unchanged.
            assert_eq!(session.round().table().order, order);
        }
        assert_eq!(played, hands);
        assert!((hands * 15..=hands * 17).contains(&totals.iter().sum()));
    }
}

#[test]
fn points_are_carried_over_by_seat() {
    let hands = ["", "", "", "9", "12"];
    let s =
        setup(json!({"players": 5}), &hands).order(&[2, 0, 1, 4, 3]).hand_number(3, &[10, 20, 30, 40, 50]);
    let (payoff, standing) = s.turn(3).playing().after("9").settle();
    assert_eq!(payoff.points[..5], [3, 2, 4, 0, 1]);
    assert_eq!(standing.points[..5], [13, 22, 34, 40, 51]);
    assert_eq!(standing.hands, 3);
}

#[test]
fn the_same_seed_and_actions_give_the_same_hands() {
    let options = json!({"players": 8, "hands": 3, "misdeal_prob": 0.5, "merchant_exchange": "blind_random"});
    for seed in 0..30 {
        let mut a = Session::<Round>::new(rules(options.clone()), seed);
        let mut b = Session::<Round>::new(rules(options.clone()), seed);
        let (mut draw_a, mut draw_b) = (Draw::new(seed, 9), Draw::new(seed, 9));
        loop {
            assert_eq!(a, b);
            assert_eq!(play_hand(&mut a, &mut draw_a), play_hand(&mut b, &mut draw_b));
            if a.is_last() {
                break;
            }
            a.deal_next();
            b.deal_next();
        }
        assert_eq!(a, b);
    }
}

#[test]
fn other_seeds_give_other_hands() {
    let first = Session::<Round>::new(rules(json!({})), 1);
    let second = Session::<Round>::new(rules(json!({})), 2);
    assert_ne!(first.round().own[0].hand, second.round().own[0].hand);
}
