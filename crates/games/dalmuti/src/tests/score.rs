//! The points and rewards of a hand.

use serde_json::{Value, json};

use super::situation::{Inspect as _, Situation, setup};

/// A finished hand in which positions went out in this order.
fn finished(options: Value, out: &[u8]) -> Situation {
    let n = out.len();
    let mut hands = vec![""; n];
    // The last two players still hold a card; the second to last plays it.
    hands[usize::from(out[n - 2])] = "7";
    hands[usize::from(out[n - 1])] = "12";
    setup(options, &hands).out(&out[..n - 2]).turn(out[n - 2]).playing().after("7")
}

fn points(options: Value, out: &[u8]) -> Vec<i32> {
    finished(options, out).settle().0.points[..out.len()].to_vec()
}

fn rewards(options: Value, out: &[u8]) -> Vec<f32> {
    finished(options, out).settle().0.reward[..out.len()].to_vec()
}

#[test]
fn standard_is_a_point_per_player_beaten() {
    let six = json!({"players": 6});
    assert_eq!(points(six.clone(), &[0, 1, 2, 3, 4, 5]), [5, 4, 3, 2, 1, 0]);
    assert_eq!(points(six, &[5, 3, 0, 1, 4, 2]), [3, 2, 0, 4, 1, 5]);
    for players in 4..=12u8 {
        let out: Vec<u8> = (0..players).rev().collect();
        let got = points(json!({"players": players}), &out);
        let n = i32::from(players);
        assert_eq!(got, (0..n).collect::<Vec<_>>());
        assert_eq!(got.iter().sum::<i32>(), n * (n - 1) / 2);
    }
}

#[test]
fn places_are_the_order_of_going_out() {
    let (payoff, _) = finished(json!({"players": 6}), &[5, 3, 0, 1, 4, 2]).settle();
    assert_eq!(payoff.place[..6], [3, 4, 6, 2, 5, 1]);
    assert_eq!((payoff.seats, payoff.place[6]), (6, 0));
}

#[test]
fn none_gives_no_points() {
    assert_eq!(points(json!({"players": 5, "scoring": "none"}), &[4, 2, 0, 1, 3]), [0; 5]);
}

fn philanthropic() -> Value {
    json!({"players": 6, "scoring": "philanthropic"})
}

#[test]
fn philanthropic_rewards_the_greater_dalmuti_whose_peon_is_not_last() {
    // Position 5, the Greater Peon, finishes fourth; position 4, the Lesser Peon, fifth.
    let out = [0, 1, 2, 5, 4, 3];
    assert_eq!(points(philanthropic(), &out), [5 + 1, 4, 3, 0, 1, 2]);
    // The Greater Peon is last: no extra point.
    assert_eq!(points(philanthropic(), &[0, 1, 2, 3, 4, 5]), [5, 4, 3, 2, 1, 0]);
    // Any other place gives the extra point.
    assert_eq!(points(philanthropic(), &[5, 1, 2, 3, 0, 4])[0], 1 + 1);
    assert_eq!(points(philanthropic(), &[0, 1, 2, 3, 5, 4])[0], 5 + 1);
}

#[test]
fn philanthropic_rewards_the_lesser_dalmuti_whose_peon_finishes_better_than_before_last() {
    // The Lesser Peon in the fourth place.
    assert_eq!(points(philanthropic(), &[0, 1, 2, 4, 3, 5]), [5, 4 + 1, 3, 1, 2, 0]);
    // In the fifth place the Lesser Peon has not risen, in the sixth they have fallen.
    assert_eq!(points(philanthropic(), &[0, 1, 2, 5, 4, 3])[1], 4);
    assert_eq!(points(philanthropic(), &[0, 1, 2, 3, 5, 4])[1], 4);
    // Both Peons rise.
    assert_eq!(points(philanthropic(), &[4, 5, 0, 1, 2, 3]), [4, 3, 1, 0, 5, 4]);
}

#[test]
fn the_titles_are_those_in_force_during_the_play() {
    // After a greater revolution seat 5 is the Greater Dalmuti and seat 0 the Greater Peon.
    let hands = ["", "", "", "", "", "J J"];
    let mut s = setup(philanthropic(), &hands).dealt().after("call revolution");
    assert_eq!(s.order(), [5, 4, 3, 2, 1, 0]);
    s.play_out();
    let (payoff, _) = s.settle();
    let place = &payoff.place;
    let mut expected = [0; 6];
    for seat in 0..6 {
        expected[seat] = 6 - i32::from(place[seat]);
    }
    expected[5] += i32::from(place[0] < 6);
    expected[4] += i32::from(place[1] < 5);
    assert_eq!(payoff.points[..6], expected);
}

#[test]
fn points_belong_to_seats_wherever_they_sit() {
    let hands = ["", "", "", "", "7", "12"];
    let order = [4, 2, 0, 1, 5, 3];
    let s = setup(philanthropic(), &hands).order(&order).out(&[0, 1, 2, 3]).turn(4).playing().after("7");
    let (payoff, standing) = s.settle();
    // Positions 0 to 5 finish in that order.
    for (p, &seat) in order.iter().enumerate() {
        assert_eq!(payoff.place[usize::from(seat)], p as u8 + 1);
        assert_eq!(payoff.points[usize::from(seat)], 5 - p as i32);
        assert_eq!(standing.order[p].0, seat);
    }
}

#[test]
fn rank_linear_goes_from_one_to_minus_one_in_even_steps() {
    assert_eq!(rewards(json!({"players": 5}), &[0, 1, 2, 3, 4]), [1.0, 0.5, 0.0, -0.5, -1.0]);
    let nine = rewards(json!({"players": 9}), &[8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(nine, [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0]);
    // The reward does not depend on the scoring.
    assert_eq!(
        rewards(json!({"players": 5, "scoring": "none"}), &[0, 1, 2, 3, 4]),
        [1.0, 0.5, 0.0, -0.5, -1.0]
    );
}

#[test]
fn score_is_the_points() {
    let options = json!({"players": 6, "scoring": "philanthropic", "reward": "score"});
    assert_eq!(rewards(options, &[0, 1, 2, 5, 4, 3]), [6.0, 4.0, 3.0, 0.0, 1.0, 2.0]);
    assert_eq!(rewards(json!({"players": 4, "reward": "score"}), &[3, 2, 1, 0]), [0.0, 1.0, 2.0, 3.0]);
}
