//! Leading, topping, passing, going out.

use cardsharp_climbing::testing::assert_example_is_played;
use serde_json::json;

use super::situation::{Inspect as _, Situation, setup};

/// Five players in play with these hands. Position 0 leads.
fn five(hands: [&str; 5]) -> Situation {
    setup(json!({"players": 5}), &hands).playing()
}

/// The legal answers of position 1 with `hand` to the lead of position 0.
fn replies(lead: &str, first: &str, hand: &str) -> String {
    let s = five([first, hand, "12 12", "12 12", "12 12"]).after(lead);
    assert_eq!(s.turn(), Some(1));
    s.legal().join(", ")
}

#[test]
fn a_follow_has_the_same_size_and_a_strictly_better_rank() {
    let hand = "3 5 7 7 8 8 12 12 J";
    assert_eq!(replies("8x2", "8 8 8", hand), "3+J, 5+J, 7+J, 7x2, pass");
    assert_eq!(replies("8x2", "8 8 8", "8 8 12 12"), "pass", "no 8s on 8s, no 12s");
    assert_eq!(replies("8x2", "8 8 8", "J J"), "pass", "two Jesters are 13s");
    assert_eq!(replies("8x2", "8 8 8", "5 J"), "5+J, pass");
    assert_eq!(replies("8x2", "8 8 8", "3"), "pass", "a single card is no pair");
}

#[test]
fn a_jester_takes_the_rank_of_the_cards_beside_it() {
    let s = five(["8 8 8", "5 J 9", "12 12", "12 12", "12 12"]).after("8x2, 5+J");
    assert_eq!(s.table(), Some((5, 2, 1)));
    let s = five(["8 7 8", "5 J J 9", "12 12", "12 12", "12 12"]);
    assert_eq!(s.after("8x2").legal().join(", "), "5+J, pass");
    let s = five(["8 8 8 3", "5 J J 9", "12 12", "12 12", "12 12"]);
    assert_eq!(s.after("8x3").legal().join(", "), "5+JJ, pass");
    assert_eq!(s.after("8x3, 5+JJ").table(), Some((5, 3, 2)));
}

#[test]
fn with_a_jester_the_table_rank_is_the_numbered_rank() {
    for rank in 1..=12u8 {
        let hand = format!("{rank} J 12");
        let s = setup(json!({"players": 5}), &[&hand, "11", "11", "11", "11"]).playing();
        assert_eq!(s.after(&format!("{rank}+J")).table(), Some((rank, 2, 1)));
    }
}

#[test]
fn a_lone_jester_is_worse_than_everything() {
    let mut everything: Vec<String> = (1..=12).map(|r| r.to_string()).collect();
    everything.push("pass".into());
    let hand = "1 2 3 4 5 6 7 8 9 10 11 12 J";
    let s = five(["J 9", hand, "12 12", "12 12", "12 12"]).after("J");
    assert_eq!(s.table(), Some((13, 1, 1)));
    assert_eq!(s.legal(), everything, "any single card tops it, a second lone Jester does not");
}

#[test]
fn the_pair_of_jesters_is_a_pair_of_thirteens() {
    let s = five(["J J 9", "12 12 11 10", "12 12", "12 12", "12 12"]).after("JJ");
    assert_eq!(s.table(), Some((13, 2, 2)));
    s.expect(1, "12x2, pass");
    let s = five(["J J 9", "12 11 10", "12 12", "12 12", "12 12"]).after("JJ");
    s.expect(1, "pass");
}

#[test]
fn a_single_dalmuti_cannot_be_topped() {
    for hand in ["2 3 J J", "12 12", "J 4 4"] {
        assert_eq!(replies("1", "1 9", hand), "pass");
    }
    assert_eq!(replies("1+J", "1 J 9", "2 2 J"), "pass");
}

#[test]
fn a_leader_may_lead_any_set_and_never_passes() {
    let s = five(["7 7 7 J", "1", "2", "3", "4"]);
    s.expect(0, "7, 7+J, 7x2, 7x2+J, 7x3, 7x3+J, J");
    let s = five(["1 12 12 J J", "2", "3", "4", "5"]);
    s.expect(0, "1, 1+J, 1+JJ, 12, 12+J, 12+JJ, 12x2, 12x2+J, 12x2+JJ, J, JJ");
    let s = five(["3 9", "1", "2", "4", "5"]);
    s.expect(0, "3, 9");
    let s = five(["J", "1", "2", "4", "5"]);
    s.expect(0, "J");
}

#[test]
fn no_more_naturals_than_a_hand_holds() {
    let legal = five(["7 7 7 J", "1", "2", "3", "4"]).legal();
    assert_eq!(legal.iter().filter(|l| l.starts_with('7')).count(), 6);
    assert_eq!(legal.iter().filter(|l| l.starts_with('J')).count(), 1);
    assert_eq!(replies("12x3", "12 12 12 12", "7 7 7 9 9 J"), "7x2+J, 7x3, 9x2+J, pass");
}

#[test]
fn the_largest_set_has_fourteen_cards() {
    let all = "12 12 12 12 12 12 12 12 12 12 12 12 J J 9";
    let s = five([all, "1", "2", "3", "4"]).after("12x12+JJ");
    assert_eq!(s.table(), Some((12, 14, 2)));
    s.expect(1, "pass");
}

#[test]
fn passing_is_always_allowed_to_a_follower() {
    let s = five(["12 9", "1 2 3", "4 5", "6", "8"]).after("12");
    s.expect(1, "1, 2, 3, pass");
}

#[test]
fn a_pass_is_not_final() {
    // Position 1 passes on a 9, and plays a 3 after another player's 7.
    let s = five(["9 12", "3 12", "7 12", "12 12", "12 12"]);
    let s = s.after("9, pass, 7, pass, pass, pass");
    s.expect(1, "3, pass");
    let s = s.after("3");
    assert_eq!(s.table(), Some((3, 1, 0)));
    s.expect(2, "pass");
}

#[test]
fn a_trick_ends_when_all_others_have_passed_since_the_last_play() {
    let s = five(["9 12", "3 12", "7 12", "12 12", "12 12"]);
    let s = s.after("9, pass, 7, pass, pass, pass");
    assert_eq!(s.table(), Some((7, 1, 0)), "position 1 passed before the 7, and is asked again");
    let s = s.after("pass");
    assert_eq!((s.table(), s.turn()), (None, Some(2)), "the last player leads");
    s.expect(2, "12");
}

#[test]
fn the_turn_goes_clockwise_past_those_who_are_out() {
    let s =
        setup(json!({"players": 6}), &["9 9 9", "", "8 8 8", "", "7 7 7", "6 6 6"]).out(&[3, 1]).playing();
    let mut s = s.after("9");
    for position in [2, 4, 5] {
        assert_eq!(s.turn(), Some(position));
        s.play("pass");
    }
    assert_eq!((s.table(), s.turn()), (None, Some(0)));
}

#[test]
fn cards_leave_the_hand_and_are_remembered() {
    let s = five(["7 7 7 J 12", "6 6 6 J 12", "12 12", "12 12", "12 12"]).after("7x2+J, 6x3");
    assert_eq!((s.hand(0), s.hand(1)), ("7 12".into(), "12 J".into()));
    let before = five(["7 7 7 J 12", "6 6 6 J 12", "12 12", "12 12", "12 12"]);
    let played = |s: &Situation, p: usize, rank: usize| s.0.table.memory.played[p].0[rank];
    assert_eq!(played(&s, 0, 6) - played(&before, 0, 6), 2);
    assert_eq!(played(&s, 0, 12) - played(&before, 0, 12), 1);
    assert_eq!(played(&s, 1, 5) - played(&before, 1, 5), 3);
    assert_eq!(s.0.table.held(0), 2);
    assert_eq!(s.0.table.held(1), 2);
}

#[test]
fn after_going_out_untopped_the_next_clockwise_leads() {
    let hands = ["12 12 12", "12 12 12", "11 11 11", "4 4 4", "10 10 10"];
    let s = setup(json!({"players": 5}), &hands).turn(3).playing();
    let s = s.after("4x3, pass, pass, pass, pass");
    assert_eq!((s.table(), s.turn()), (None, Some(4)));
    // If the next player has gone out, the one after leads.
    let hands = ["12 12 12", "12 12 12", "11 11 11", "4 4 4", ""];
    let s = setup(json!({"players": 5}), &hands).turn(3).playing();
    let s = s.after("4x3, pass, pass, pass");
    assert_eq!((s.table(), s.turn()), (None, Some(0)));
    // There is no rank privilege: position 4 leads although 0, 1 and 2 are higher.
    assert_eq!(s.still_in().iter().collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn all_who_are_left_must_pass_on_a_play_that_went_out() {
    let hands = ["12 12 12", "12 12 12", "11 11 11", "4 4 4", "10 10 10"];
    let s = setup(json!({"players": 5}), &hands).turn(3).playing().after("4x3, pass, pass, pass");
    assert_eq!((s.table(), s.turn()), (Some((4, 3, 0)), Some(2)), "the fourth pass is still to come");
}

#[test]
fn a_play_that_went_out_can_be_topped() {
    let hands = ["12 12", "12 12", "11 11", "6", "5 10"];
    let s = setup(json!({"players": 5}), &hands).turn(3).playing();
    let s = s.after("6, 5, pass, pass, pass");
    assert_eq!((s.table(), s.turn()), (None, Some(4)));
    assert_eq!(s.0.table.trick.place(3), 1);
}

#[test]
fn the_hand_ends_when_one_player_still_holds_cards() {
    let hands = ["", "8 9", "7", "12 12 12 12 12 12"];
    let s = setup(json!({"players": 4}), &hands).turn(1).playing();
    let s = s.after("9, 7");
    assert_eq!(s.turn(), Some(3), "two are out");
    let s = s.after("pass, pass");
    assert_eq!((s.table(), s.turn()), (None, Some(3)), "position 2 has gone out: the next clockwise leads");
    let s = s.after("12, 8");
    assert_eq!(s.turn(), None, "the third player is out");
    assert_eq!(s.hand(3), "12 12 12 12 12", "the fourth still holds cards");
    let places: Vec<u8> = (0..4).map(|p| s.0.table.trick.place(p)).collect();
    assert_eq!(places, [1, 3, 2, 4]);
    assert!((0..4).all(|p| s.legal_of(s.seat(p)).is_empty()), "nobody decides any more");
}

#[test]
fn the_hand_ends_though_the_last_still_has_six_cards() {
    let hands = ["", "", "7", "12 12 12 12 12 12"];
    let s = setup(json!({"players": 4}), &hands).playing().after("7");
    assert_eq!((s.turn(), s.hand(3).as_str()), (None, "12 12 12 12 12 12"));
}

#[test]
fn only_the_player_whose_turn_it_is_may_act() {
    let s = five(["9 12", "3 12", "7 12", "12 12", "12 12"]).after("9");
    for position in [0, 2, 3, 4] {
        assert!(s.legal_of(s.seat(position)).is_empty());
    }
    assert!(!s.legal().is_empty());
}

#[test]
fn the_first_position_leads_the_hand() {
    let s = setup(json!({"players": 6}), &[]).dealt().after("give 12, give 12, give 12");
    assert_eq!((s.turn(), s.table()), (Some(0), None));
}

/// The example in `rules.md`, read from its tables.
#[test]
fn the_example_of_the_rules_page_is_played_as_it_says() {
    const PAGE: &str = include_str!("../../rules.md");
    let set_up = |hands: &[&str]| setup(json!({"players": 5}), hands).playing();
    assert_example_is_played(PAGE, set_up, |s| s.table().is_none(), |s| s.hand(2).is_empty());
}
