//! Places, points and rewards.

use serde_json::{Value, json};

use super::situation::{Inspect as _, Situation, setup};

/// A finished round of these rules in which positions go out in this order.
fn finished(options: Value, out: &[u8]) -> Situation {
    let players = out.len();
    let mut hands = vec![""; players];
    hands[usize::from(out[players - 2])] = "7";
    hands[usize::from(out[players - 1])] = "6";
    let (gone, last) = (&out[..players - 2], out[players - 2]);
    setup(options, &hands).out(gone).turn(last).playing().after("7")
}

#[test]
fn the_order_of_going_out_is_the_next_order_and_who_is_left_is_the_serf() {
    let s = finished(json!({"players": 5}), &[2, 0, 4, 1, 3]);
    let (payoff, standing) = s.settle();
    assert_eq!(payoff.place[..5], [2, 4, 1, 5, 3]);
    let order: Vec<u8> = standing.order[..5].iter().map(|seat| seat.0).collect();
    assert_eq!(order, [2, 0, 4, 1, 3]);
    assert_eq!((standing.players, standing.rounds), (5, 1));
}

#[test]
fn points_are_players_beaten() {
    let (payoff, standing) = finished(json!({"players": 5}), &[2, 0, 4, 1, 3]).settle();
    assert_eq!(payoff.points[..5], [3, 1, 4, 0, 2]);
    assert_eq!(standing.points[..5], payoff.points[..5]);
    assert_eq!(standing.tahimi[..5], [0, 0, 1, 0, 0], "rounds as the first to go out");
}

#[test]
fn places_points_and_rounds_as_tahimi_belong_to_seats_wherever_they_sit() {
    let mut hands = [""; 4];
    (hands[1], hands[3]) = ("7", "6");
    let s = setup(json!({}), &hands).order(&[2, 0, 3, 1]).round_number(3, &[5, 6, 7, 8]);
    let (payoff, standing) = s.out(&[2, 0]).turn(1).playing().after("7").settle();
    // Position 0 is seat 2, 1 is seat 0, 2 is seat 3, 3 is seat 1.
    assert_eq!(payoff.place[..4], [3, 4, 2, 1]);
    assert_eq!(standing.order[..4].iter().map(|s| s.0).collect::<Vec<_>>(), [3, 2, 0, 1]);
    assert_eq!(standing.points[..4], [6, 6, 9, 11]);
    assert_eq!((standing.rounds, standing.tahimi[3]), (3, 1));
}

fn rewards(options: Value, out: &[u8]) -> Vec<f32> {
    finished(options, out).settle().0.reward[..out.len()].to_vec()
}

#[test]
fn rank_linear_goes_from_one_to_minus_one_in_even_steps() {
    assert_eq!(rewards(json!({"players": 5}), &[0, 1, 2, 3, 4]), [1.0, 0.5, 0.0, -0.5, -1.0]);
    assert_eq!(rewards(json!({"players": 3}), &[1, 2, 0]), [-1.0, 1.0, 0.0]);
    let all = rewards(json!({"players": 8}), &[0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(all.iter().sum::<f32>().abs() < 1e-6);
}

#[test]
fn points_or_first_places_can_be_maximised() {
    let options = |reward: &str| json!({"players": 4, "reward": reward});
    assert_eq!(rewards(options("points"), &[3, 1, 0, 2]), [1.0, 2.0, 0.0, 3.0]);
    assert_eq!(rewards(options("tahimi_only"), &[3, 1, 0, 2]), [0.0, 0.0, 0.0, 1.0]);
    // The points do not depend on the reward.
    for reward in ["rank_linear", "points", "tahimi_only"] {
        assert_eq!(finished(options(reward), &[3, 1, 0, 2]).settle().0.points[..4], [1, 2, 0, 3]);
    }
}

#[test]
fn beyond_the_seats_there_is_nothing() {
    let (payoff, standing) = finished(json!({"players": 5}), &[0, 1, 2, 3, 4]).settle();
    assert_eq!(payoff.seats, 5);
    assert_eq!((&payoff.place[5..], &payoff.points[5..]), (&[0; 7][..], &[0; 7][..]));
    assert!(payoff.reward[5..].iter().all(|&r| r == 0.0));
    assert_eq!((&standing.points[5..], &standing.tahimi[5..]), (&[0; 7][..], &[0; 7][..]));
}
