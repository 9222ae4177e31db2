//! The observation, block by block: the scores and the other players.

use serde_json::json;

use super::row::six;
use super::situation::{Inspect as _, Situation, hand, setup};

#[test]
fn scores_are_shares_of_a_point_per_player_and_hand() {
    let points = [7, 0, 30, 12, 1];
    let s = setup(json!({"players": 5}), &[]).order(&[3, 0, 4, 2, 1]).hand_number(7, &points).dealt();
    // After six hands of five players, 30 points give 200. Clockwise from position 0: seats 3 0 4 2 1.
    assert_eq!(s.cells(0, "scores"), [80, 46, 6, 200, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(s.cells(2, "scores"), [6, 200, 0, 80, 46, 0, 0, 0, 0, 0, 0, 0]);
    let first = setup(json!({"players": 5}), &[]).dealt();
    assert_eq!(first.cells(0, "scores"), [0; 12]);
}

#[test]
fn scores_are_rounded_down_exactly() {
    for players in [4u8, 7, 12] {
        for number in [2u16, 3, 8, 20, 333, 1000] {
            let most = i64::from(number - 1) * i64::from(players);
            for points in (0..=most).step_by(1 + most as usize / 50) {
                let options = json!({"players": players, "hands": 1000});
                let s = setup(options, &[]).hand_number(number, &[points as i32]).dealt();
                assert_eq!(i64::from(s.cells(0, "scores")[0]), points * 200 / most, "{points} of {most}");
            }
        }
    }
}

#[test]
fn the_others_clockwise_out_with_places_or_with_their_counts() {
    let hands = ["9 12 12", "", "2 11", "", "10 10 10 10 10 10 10 10 10", "3 3 3 4 4 4 4 5"];
    let s = setup(json!({"players": 6}), &hands).out(&[3, 1]).playing();
    // The others from position 4: 5, 0, 1, 2, 3.
    assert_eq!(s.ones(4, "out"), [2, 4]);
    assert_eq!(s.cells(4, "place"), [0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(s.cells(4, "count"), [8, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    let few = s.cells(4, "few_cards");
    assert_eq!(few.len(), 88);
    let of = |other: usize| few[8 * other..8 * other + 8].iter().sum::<u8>();
    assert_eq!([of(0), of(1), of(2), of(3), of(4), of(5)], [8, 3, 0, 2, 0, 0]);
    assert_eq!(few[8..16], [1, 1, 1, 0, 0, 0, 0, 0]);
    // From position 5 the first other is 0, and the last is 4 with nine cards: all eight cells.
    let few = s.cells(5, "few_cards");
    assert_eq!(few[32..40], [1; 8]);
    assert_eq!(s.cells(5, "count")[4], 9);
}

#[test]
fn hidden_counts_are_not_shown() {
    let hands = ["9 12 12", "3", "2 11", "12 12"];
    let open = setup(json!({"players": 4}), &hands).playing();
    let hidden = setup(json!({"players": 4, "hand_count_view": "hidden"}), &hands).playing();
    assert_eq!(open.cells(0, "count")[..3], [1, 2, 2]);
    assert_eq!(hidden.cells(0, "count"), [0; 11]);
    assert_eq!(hidden.cells(0, "few_cards"), [0; 88]);
    let s = hidden.after("9, 3");
    assert_eq!(s.ones(0, "out"), [0], "going out is public all the same");
    // The cards played by each player remain visible.
    assert_eq!(s.cells(0, "played"), open.after("9, 3").cells(0, "played"));
}

#[test]
fn counts_are_dealt_minus_played_before_and_after_exchanges() {
    let mut s = setup(json!({"players": 7}), &[]).dealt();
    // The others from position 3: 4 5 6 0 1 2.
    assert_eq!(s.cells(3, "count")[..6], [11, 11, 11, 12, 12, 12]);
    s = s.after_giving(3);
    assert_eq!(s.cells(3, "count")[..6], [11, 11, 11, 12, 12, 12]);
    let s = setup(json!({"players": 7}), &["", "", "", "", "", "", "J J"]).dealt().after("call revolution");
    // After the positions turned around, 4, 5 and 6 hold 12 cards.
    assert_eq!(s.cells(3, "count")[..6], [12, 12, 12, 11, 11, 11]);
}

#[test]
fn the_others_cards_played_by_rank() {
    let s = six();
    let before = setup(
        json!({"players": 6}),
        &["9 9 12", "8 J 12 12", "2 11 11", "7 7 J 10 10", "", "3 12 12 12 12 12 12 12 12"],
    )
    .playing();
    let of = |s: &Situation, other: usize| s.cells(3, "played")[13 * other..13 * other + 13].to_vec();
    let newly = |other: usize| -> Vec<u8> {
        of(&s, other).iter().zip(of(&before, other)).map(|(now, then)| now - then).collect()
    };
    // From position 3 the others are 4, 5, 0, 1, 2.
    assert_eq!(newly(2), hand("9 9").0);
    assert_eq!(newly(3), hand("8 J").0);
    assert_eq!(newly(4), hand("").0);
    // Everything that is neither held nor unseen was played by the others or by the viewer.
    assert_eq!(s.cells(3, "played").len(), 143);
}

#[test]
fn passes_are_remembered_by_the_worst_rank_for_each_size() {
    let hands = ["10 5 5 9 9", "12 12 11", "1 2 3 12", "8 8 12 12", "12 12 12 12"];
    let s = setup(json!({"players": 5}), &hands).playing();
    // From position 0 the others are 1, 2, 3, 4, with six sizes each.
    let of = |s: &Situation, other: usize| s.cells(0, "passed_on")[6 * other..6 * other + 6].to_vec();
    let single = s.after("10, pass");
    assert_eq!(of(&single, 0), [14 - 10, 0, 0, 0, 0, 0], "he passed on a single 10");
    assert_eq!(of(&single, 1), [0; 6]);
    // Position 2 plays the 3. Positions 3 and 4 pass on it, and so does position 1, whose pass on the 10 remains.
    let s = single.after("3, pass, pass, pass, pass");
    assert_eq!(of(&s, 0)[0], 14 - 10);
    assert_eq!((of(&s, 2)[0], of(&s, 3)[0]), (14 - 3, 14 - 3));
    // Position 2 leads a 12, and position 3 passes: a worse rank than the 3.
    let s = s.after("12, pass");
    assert_eq!((of(&s, 2)[0], of(&s, 3)[0]), (14 - 12, 14 - 3));
    // Pairs have separate cells.
    let s = setup(json!({"players": 5}), &hands).playing().after("9x2, pass, pass, 8x2, pass");
    assert_eq!(of(&s, 0), [0, 14 - 9, 0, 0, 0, 0]);
    assert_eq!(of(&s, 1), [0, 14 - 9, 0, 0, 0, 0]);
    assert_eq!(of(&s, 3), [0, 14 - 8, 0, 0, 0, 0]);
    // On a Dalmuti: 13; on a lone Jester: 1.
    let hands = ["1 J 12", "11 11", "11 11", "11 11", "11 11"];
    let s = setup(json!({"players": 5}), &hands).playing();
    assert_eq!(of(&s.after("1, pass"), 0)[0], 13);
    assert_eq!(of(&s.after("J, pass"), 0)[0], 1);
    // Passes on seven or more cards are not recorded.
    let hands = ["12 12 12 12 12 12 12 9", "11 11", "11 11", "11 11", "11 11"];
    let s = setup(json!({"players": 5}), &hands).playing();
    assert_eq!(of(&s.after("12x6, pass"), 0), [0, 0, 0, 0, 0, 14 - 12]);
    assert_eq!(of(&s.after("12x7, pass"), 0), [0; 6]);
}
