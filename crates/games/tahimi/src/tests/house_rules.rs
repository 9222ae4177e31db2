//! House rules: final passes, and sets of equal rank.

use cardsharp_engine::game::{Observe, Play, Scripted};
use serde_json::{Value, json};

use super::super::Round;
use super::situation::{Inspect as _, Situation, setup};

/// Four players in play with these hands and rules. Position 0 leads.
fn four(options: Value, hands: [&str; 4]) -> Situation {
    setup(options, &hands).playing()
}

#[test]
fn a_final_pass_is_for_the_whole_trick() {
    let hands = ["4 9 2", "3 J 2", "6 2", "2 3"];
    let s = four(json!({"pass_is_final": true}), hands).after("4, pass, 6, pass, 9");
    s.expect(2, "pass");
    let s = s.after("pass");
    assert_eq!((s.table(), s.turn()), (None, Some(0)), "positions 1 and 3 are out of the trick");
    s.expect(0, "2");
}

#[test]
fn passing_the_lead_on_is_not_final() {
    let options = json!({"pass_is_final": true, "pass_on_lead": true});
    let s = four(options, ["9 2", "4 2", "5 2", "6 2"]).after("pass, 4, pass, pass");
    s.expect(0, "9, pass");
}

#[test]
fn as_many_cards_of_the_same_rank_answer_a_set() {
    for rule in ["skips", "burns"] {
        let s = four(json!({"equal_rank": rule}), ["5 5 2", "5 5 6 6 K", "2", "4"]).after("5x2");
        s.expect(1, "5x2, 6x2, pass");
        let low = json!({"equal_rank": rule, "jokers": "low"});
        let s = four(low.clone(), ["* 9", "* 2", "3", "4"]).after("*");
        s.expect(1, "2, *, pass");
        let s = four(low, ["5 5 9", "5 * 2", "3", "4"]).after("5x2");
        s.expect(1, "5+*, pass");
        let wild = json!({"equal_rank": rule, "jokers": "wild"});
        let s = four(wild, ["K 2", "* 3", "3", "4"]).after("K");
        s.expect(1, "* as K, * as A, pass");
        let s = four(json!({"equal_rank": rule}), ["A 2", "A K", "3", "4"]).after("A");
        s.expect(1, "A, pass");
    }
    let s = four(json!({}), ["A 2", "A K", "3", "4"]).after("A");
    s.expect(1, "pass");
}

#[test]
fn a_set_of_equal_rank_skips_the_next_player_or_burns_the_trick() {
    let hands = ["8 9", "8 9", "J 9", "Q 9"];
    let s = four(json!({"equal_rank": "skips"}), hands).after("8, 8");
    assert_eq!(s.turn(), Some(3));
    let taken = s.after("pass, pass");
    assert_eq!((taken.table(), taken.turn()), (None, Some(1)));
    let s = four(json!({"equal_rank": "burns"}), hands).after("8, 8");
    s.expect(1, "9");
    // The player goes out with the set. The highest player still in leads, as after any trick.
    let s = four(json!({"equal_rank": "burns"}), ["8 9", "8", "J 9", "Q 9"]).after("8, 8");
    assert_eq!((s.table(), s.turn()), (None, Some(0)));
}

#[test]
fn rows_show_house_rules_and_who_is_skipped() {
    let s = four(json!({"equal_rank": "skips"}), ["8 9", "8 9", "J 9", "Q 9"]).after("8, 8");
    for p in 0..4 {
        assert_eq!(s.cells(p, "house_rules"), [0, 1, 0]);
        assert_eq!(s.ones(p, "skipped"), [usize::from((2 + 4 - p) % 4)]);
    }
    let s = four(json!({"pass_is_final": true}), ["8 9", "8 9", "J 9", "Q 9"]);
    assert_eq!(s.cells(0, "house_rules"), [1, 0, 0]);
    let [before] = Round::PREFIXES else { panic!("one version before") };
    assert_eq!((before.encoding, before.unseen), (1, &["pass_is_final", "equal_rank"][..]));
}

#[test]
fn the_rule_based_player_goes_out_with_an_equal_set() {
    for rule in ["skips", "burns"] {
        let s = four(json!({"equal_rank": rule}), ["8 9", "8", "J 9", "Q 9"]).after("8");
        assert_eq!(s.label(Round::scripted(s.0.view(s.seat(1)))), "8");
    }
}
