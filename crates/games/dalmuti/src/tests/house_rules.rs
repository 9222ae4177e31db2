//! House rules: final passes, and sets of equal rank.

use cardsharp_engine::game::{Observe, Play, Scripted, Teach, Texts};
use cardsharp_engine::rules::Rules as _;
use serde_json::{Value, json};

use super::super::Round;
use super::super::rules::Rules;
use super::situation::{Inspect as _, Situation, named, setup};

/// Five players in play with these hands and rules. Position 0 leads.
fn five(options: Value, hands: [&str; 5]) -> Situation {
    setup(options, &hands).playing()
}

fn equal(rule: &str) -> Value {
    json!({"players": 5, "equal_rank": rule})
}

#[test]
fn a_final_pass_is_for_the_whole_trick() {
    let hands = ["9 5 1", "8 2", "12 12", "12 12", "6 12"];
    let s = five(json!({"players": 5, "pass_is_final": true}), hands).after("9, pass, pass, pass, 6");
    let s = s.after("5");
    s.expect(4, "pass");
    let s = s.after("pass");
    assert_eq!((s.table(), s.turn()), (None, Some(0)), "all others are out of the trick");
    s.expect(0, "1");
    let s = five(json!({"players": 5}), hands).after("9, pass, pass, pass, 6, 5");
    s.expect(1, "2, pass");
}

#[test]
fn a_play_that_nobody_is_left_to_answer_ends_the_trick() {
    let hands = ["9 5", "8 2", "12 12", "12 12", "6 4 12"];
    let s = five(json!({"players": 5, "pass_is_final": true}), hands).after("9, pass, pass, pass, 6, 5, 4");
    assert_eq!((s.table(), s.turn()), (None, Some(4)), "position 0 went out, and the others had passed");
}

#[test]
fn as_many_cards_of_the_same_rank_answer_a_set() {
    let hand = "3 5 7 7 8 8 12 12 J";
    for rule in ["skips", "burns"] {
        let s = five(equal(rule), ["8 8 8", hand, "12 12", "12 12", "12 12"]).after("8x2");
        s.expect(1, "3+J, 5+J, 7+J, 7x2, 8+J, 8x2, pass");
        let s = five(equal(rule), ["7 J 8", "7 7 9", "12 12", "12 12", "12 12"]).after("7+J");
        s.expect(1, "7x2, pass");
        let s = five(equal(rule), ["J 9", "11 12 J", "12 12", "12 12", "12 12"]).after("J");
        s.expect(1, "11, 12, J, pass");
        let s = five(equal(rule), ["12 12 9", "J J", "12 12", "12 12", "12 12"]).after("12x2");
        s.expect(1, "pass");
    }
}

#[test]
fn a_set_of_equal_rank_skips_the_next_player() {
    let s = five(equal("skips"), ["8 9", "8 9", "7 9", "6 9", "12 12"]).after("8, 8");
    assert_eq!(s.turn(), Some(3));
    let taken = s.after("pass, pass, pass");
    assert_eq!((taken.table(), taken.turn()), (None, Some(1)), "position 2 is taken to have passed");
    // The skipped player may answer the next set.
    let s = s.after("6, pass, pass, pass, pass");
    assert_eq!((s.table(), s.turn()), (None, Some(3)));
}

#[test]
fn a_set_of_equal_rank_burns_the_trick() {
    let s = five(equal("burns"), ["8 9", "8 9", "7 9", "6 9", "12 12"]).after("8, 8");
    s.expect(1, "9");
    assert_eq!(s.table(), None);
    let s = five(equal("burns"), ["8 9", "8", "7 9", "6 9", "12 12"]).after("8, 8");
    assert_eq!((s.table(), s.turn()), (None, Some(2)), "position 1 went out");
}

#[test]
fn rows_show_house_rules_and_who_is_skipped() {
    let s = five(equal("skips"), ["8 9", "8 9", "7 9", "6 9", "12 12"]).after("8, 8");
    for p in 0..5 {
        assert_eq!(s.cells(p, "house_rules"), [0, 1, 0]);
        assert_eq!(s.ones(p, "skipped"), [usize::from((2 + 5 - p) % 5)]);
    }
    let both = json!({"players": 5, "pass_is_final": true, "equal_rank": "burns"});
    assert_eq!(five(both, ["8 9", "8 9", "7", "6", "12"]).cells(0, "house_rules"), [1, 0, 1]);
    let s = five(json!({"players": 5}), ["8 9", "8 9", "7 9", "6 9", "12 12"]).after("8");
    assert!(named(Round::OBSERVATION, "skipped").offset > named(Round::OBSERVATION, "passed_on").offset);
    assert!([s.cells(1, "house_rules"), s.cells(1, "skipped")].concat().iter().all(|&cell| cell == 0));
}

#[test]
fn the_version_before_has_the_cells_before_and_no_house_rules() {
    let [before] = Round::PREFIXES else { panic!("one version before") };
    let last = named(Round::OBSERVATION, "passed_on");
    assert_eq!((before.encoding, before.cells), (1, last.end()));
    assert!(before.unseen.iter().all(|option| Rules::OPTIONS.iter().any(|known| known.name == *option)));
}

#[test]
fn the_rule_based_player_goes_out_with_an_equal_set() {
    for rule in ["skips", "burns"] {
        let s = five(equal(rule), ["8 9", "8", "7 9", "6 9", "12 12"]).after("8");
        assert_eq!(s.label(Round::scripted(s.0.view(s.seat(1)))), "8");
    }
}

#[test]
fn what_house_rules_do_is_told() {
    let words = Texts::read(Round::WORDS).unwrap();
    let means = |s: &Situation, name: &str| {
        let action = cardsharp_engine::game::parse_label::<Round>(None, name).unwrap();
        let seat = s.seat(s.turn().unwrap());
        Round::means(s.0.view(seat), action).map(|name| words.say(name, &[]))
    };
    let s = five(equal("skips"), ["8 9", "8 7", "7 9", "6 9", "12 12"]).after("8");
    assert!(means(&s, "8").unwrap().contains("loses the turn"));
    assert_eq!(means(&s, "7"), None);
    let s = five(equal("burns"), ["8 9", "8 7", "7 9", "6 9", "12 12"]).after("8");
    assert!(means(&s, "8").unwrap().contains("you lead"));
    let s = five(json!({"players": 5, "pass_is_final": true}), ["8 9", "7", "7", "6", "12"]).after("8");
    assert!(means(&s, "pass").unwrap().contains("next lead"));
}
