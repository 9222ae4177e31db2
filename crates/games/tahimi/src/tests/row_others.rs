//! The observation, block by block: the other players.

use serde_json::json;

use super::row::{from_the_top, six};
use super::situation::{Situation, setup};

fn of_other(s: &Situation, position: u8, block: &str, other: usize, len: usize) -> Vec<u8> {
    s.cells(position, block)[other * len..(other + 1) * len].to_vec()
}

#[test]
fn the_others_clockwise_out_with_places_or_with_their_counts() {
    let hands = ["9 2 2", "", "A Q", "", "K K K K J J J J 10", "3 3 3 4 4 4 4 5"];
    let s = setup(json!({"players": 6, "jokers": "low"}), &hands).out(&[3, 1]).playing();
    // The others from position 4: 5, 0, 1, 2, 3.
    assert_eq!(s.ones(4, "out"), [2, 4]);
    assert_eq!(s.cells(4, "place"), [0, 0, 2, 0, 1, 0, 0]);
    assert_eq!(s.cells(4, "count"), [8, 3, 0, 2, 0, 0, 0]);
    assert_eq!(of_other(&s, 4, "few_cards", 0, 8), [1; 8]);
    assert_eq!(of_other(&s, 4, "few_cards", 1, 8), [1, 1, 1, 0, 0, 0, 0, 0]);
    assert_eq!(of_other(&s, 4, "few_cards", 2, 8), [0; 8]);
    // From position 5 the fifth of the others is 4, with nine cards.
    assert_eq!((of_other(&s, 5, "few_cards", 4, 8), s.cells(5, "count")[4]), (vec![1; 8], 9));
    assert!(s.cells(4, "few_cards")[40..].iter().all(|&c| c == 0));
}

#[test]
fn places_are_complete_when_the_round_is_over() {
    let s = setup(json!({"players": 3}), &["", "7", "2 2"]).playing().after("7");
    assert_eq!((s.cells(0, "place")[..3].to_vec(), s.ones(0, "out")), (vec![2, 0, 0], vec![0]));
    assert_eq!(s.cells(0, "count")[..2], [0, 2]);
}

#[test]
fn announced_last_cards() {
    let s = setup(json!({}), &["5 5 2", "9 9 9", "6 6", "2 3 4"]).playing().after("5x2");
    // Position 0 is the third of the others from position 1, the second from 2, the first from 3.
    let seen: Vec<Vec<usize>> = (0..4).map(|p| s.ones(p, "one_card")).collect();
    assert_eq!(seen, [vec![], vec![2], vec![1], vec![0]]);
    let s = s.after("9x2, pass, pass, pass");
    assert_eq!((s.ones(0, "one_card"), s.ones(2, "one_card")), (vec![0], vec![1, 2]));
}

#[test]
fn what_each_of_the_others_has_played() {
    let s = six();
    let before = setup(
        json!({"players": 6, "jokers": "low"}),
        &["9 9 2", "10 * 2 2", "A K", "J J * 3 3", "", "Q 4 4 4 4 5 5 5 5"],
    )
    .order(&[2, 4, 0, 1, 5, 3])
    .playing();
    let more = |other: usize| -> Vec<u8> {
        let now = of_other(&s, 3, "played", other, 19);
        let was = of_other(&before, 3, "played", other, 19);
        now.into_iter().zip(was).map(|(now, was)| now - was).collect()
    };
    // The others from position 3: 4, 5, 0, 1, 2.
    let expected = ["", "", "9 9", "10 *", ""];
    for (other, cards) in expected.iter().enumerate() {
        assert_eq!(more(other), from_the_top(cards), "other {other}");
    }
    assert!(s.cells(3, "played")[95..].iter().all(|&c| c == 0));
    // The cards played by all are those neither in hand nor unseen.
    let gone = |s: &Situation| -> u32 {
        let all = s.cells(3, "deck").iter().map(|&n| u32::from(n)).sum::<u32>();
        all - (s.ones(3, "hand").len() + s.ones(3, "unseen").len()) as u32
    };
    assert_eq!(gone(&s) - gone(&before), 4);
}

#[test]
fn the_lowest_rank_on_which_each_has_passed_for_each_size() {
    let hands = ["2 9 9 K 4 4", "3 3 A 5", "6 6 8", "5 5 2"];
    let s = setup(json!({"jokers": "low"}), &hands).playing();
    let memory = |s: &Situation| of_other(s, 0, "passed_on", 0, 6);
    // Position 1 is the first of the others from position 0. It passes on a 2 (slot 0), a king (slot 16) and two 9s
    // (slot 7).
    let s = s.after("K, pass, pass, pass");
    assert_eq!(memory(&s), [18, 0, 0, 0, 0, 0]);
    let s = s.after("2, pass, 8, pass, pass, pass");
    assert_eq!(memory(&s), [2, 0, 0, 0, 0, 0], "the 8 is higher than the 2");
    let s = s.after("6x2, pass, 9x2, pass");
    assert_eq!(memory(&s), [2, 9, 0, 0, 0, 0]);
    // A pass on jokers alone has the lowest value.
    let s = setup(json!({"jokers": "low"}), &["* 2", "3 3", "4", "5"]).playing().after("*, pass");
    assert_eq!(memory(&s), [1, 0, 0, 0, 0, 0]);
    assert_eq!(of_other(&s, 2, "passed_on", 2, 6), [1, 0, 0, 0, 0, 0]);
}

#[test]
fn sets_of_seven_and_more_are_not_remembered() {
    let options = json!({"players": 8, "deck": "extra_suits"});
    let hands = ["5 5 5 5 5 5 5 2", "3", "4", "6", "7", "9", "9", "9"];
    let s = setup(options, &hands).playing().after("5x7, pass");
    assert_eq!(of_other(&s, 0, "passed_on", 0, 6), [0; 6]);
}

#[test]
fn one_card_view_hides_counts_and_who_played_what() {
    let hands = ["5 5 2", "9 9 9", "", "2 3 4"];
    let of = |view: &str| setup(json!({"hand_count_view": view}), &hands).playing().after("5x2, 9x2, pass");
    let (open, closed) = (of("derivable"), of("one_card"));
    for position in [0, 1, 3] {
        for block in ["count", "few_cards", "played"] {
            assert!(closed.cells(position, block).iter().all(|&c| c == 0), "{block}");
            assert!(open.cells(position, block).iter().any(|&c| c > 0), "{block}");
        }
        // All other blocks are the same, except for the option itself.
        for block in
            ["hand", "unseen", "table_rank", "last", "passed", "out", "place", "one_card", "passed_on"]
        {
            assert_eq!(closed.cells(position, block), open.cells(position, block), "{block}");
        }
    }
    assert_eq!(closed.ones(1, "one_card"), [2], "announcements stay");
    assert_eq!(closed.ones(1, "out"), [0]);
}
