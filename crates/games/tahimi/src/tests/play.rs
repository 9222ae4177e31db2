//! Leading, topping, passing, going out.

use cardsharp_climbing::testing::assert_example_is_played;
use serde_json::{Value, json};

use super::situation::{Inspect as _, Situation, setup};

/// Four players in play with these hands. Position 0 leads.
fn four(options: Value, hands: [&str; 4]) -> Situation {
    setup(options, &hands).playing()
}

/// The legal answers of position 1 with `hand` to the lead of position 0.
fn replies(options: Value, lead: &str, first: &str, hand: &str) -> String {
    let s = four(options, [first, hand, "2", "4"]).after(lead);
    assert_eq!(s.turn(), Some(1));
    s.legal().join(", ")
}

#[test]
fn a_follow_has_as_many_cards_of_a_strictly_higher_rank() {
    let hand = "3 3 5 5 6 6 7 7 7 K";
    assert_eq!(replies(json!({}), "5x2", "5 5 2", hand), "6x2, 7x2, pass");
    assert_eq!(replies(json!({}), "5", "5 5 2", hand), "6, 7, K, pass");
    assert_eq!(replies(json!({}), "5x3", "5 5 5", "7 7 7 6 6 K K"), "7x3, pass");
    assert_eq!(replies(json!({}), "A", "A 2", "A K"), "pass", "nothing tops an ace");
}

#[test]
fn a_leader_may_lead_any_set_of_one_rank() {
    let s = four(json!({}), ["5 5 5 9 A", "2", "3", "4"]);
    s.expect(0, "5, 5x2, 5x3, 9, A");
    let s = four(json!({"pass_on_lead": true}), ["5 5 5 9 A", "2", "3", "4"]);
    s.expect(0, "5, 5x2, 5x3, 9, A, pass");
}

#[test]
fn a_pass_is_not_final() {
    let s = four(json!({}), ["4 9 2", "3 J 2", "6 2", "2"]).after("4, pass, 6, pass, 9");
    s.expect(1, "J, pass");
    assert_eq!(s.after("J").table(), Some(("J", 1, 0)));
}

#[test]
fn a_trick_is_taken_when_all_others_have_passed_since_the_last_play() {
    let s = four(json!({}), ["4 9 2", "3 J 2", "6 2", "2"]).after("4, pass, 6, pass, 9, pass, pass");
    assert_eq!((s.table(), s.turn()), (Some(("9", 1, 0)), Some(3)), "one is still to be asked");
    let s = s.after("pass");
    assert_eq!((s.table(), s.turn()), (None, Some(0)));
    s.expect(0, "2");
}

#[test]
fn after_an_untopped_last_card_rank_or_the_clock_says_who_leads() {
    let hands = ["9 2", "8 2", "K", "3 2"];
    for (privilege, leader) in [(true, 0), (false, 3)] {
        let s = setup(json!({"rank_privilege": privilege}), &hands).turn(2).playing();
        let s = s.after("K, pass, pass, pass");
        assert_eq!((s.table(), s.turn()), (None, Some(leader)), "privilege {privilege}");
    }
    // Players who have gone out have no privilege and no turn.
    let hands = ["", "8 2", "K", "", "2 3"];
    for (privilege, leader) in [(true, 1), (false, 4)] {
        let s = setup(json!({"players": 5, "rank_privilege": privilege}), &hands).turn(2).playing();
        assert_eq!(s.after("K, pass, pass").turn(), Some(leader), "privilege {privilege}");
    }
}

#[test]
fn privilege_is_nothing_while_the_taker_is_still_in() {
    for privilege in [true, false] {
        let s = setup(json!({"rank_privilege": privilege}), &["9 2", "8 2", "K 3", "3 2"]).turn(2).playing();
        assert_eq!(s.after("K, pass, pass, pass").turn(), Some(2));
    }
}

#[test]
fn a_last_card_can_be_topped() {
    let s = setup(json!({}), &["9 2", "8 2", "K", "A 2"]).turn(2).playing().after("K, A");
    assert_eq!((s.0.table.trick.place(2), s.turn()), (1, Some(0)));
    let s = s.after("pass");
    assert_eq!((s.table(), s.turn()), (Some(("A", 1, 0)), Some(1)), "two passes are needed");
    let s = s.after("pass");
    assert_eq!((s.table(), s.turn()), (None, Some(3)), "whoever topped it leads");
}

#[test]
fn the_player_after_one_who_went_out_may_play_on_his_set() {
    setup(json!({}), &["9 2", "8 2", "K", "A 2"]).turn(2).playing().after("K").expect(3, "A, pass");
}

#[test]
fn the_round_ends_at_once_when_one_player_is_left() {
    let s = setup(json!({"players": 3}), &["", "7 7", "A A 2"]).turn(1).playing().after("7x2");
    assert_eq!((s.turn(), s.hand(2).as_str()), (None, "A A 2"));
    let places: Vec<u8> = (0..3).map(|p| s.0.table.trick.place(p)).collect();
    assert_eq!(places, [1, 2, 3]);
    assert!((0..3).all(|p| s.legal_of(s.seat(p)).is_empty()), "nobody decides any more");
}

#[test]
fn the_turn_goes_clockwise_past_those_who_are_out() {
    let hands = ["4 2", "", "5 2", "", "6 2"];
    let mut s = setup(json!({"players": 5}), &hands).playing().after("4");
    for position in [2, 4] {
        assert_eq!(s.turn(), Some(position));
        s.play("pass");
    }
    assert_eq!((s.table(), s.turn()), (None, Some(0)));
}

#[test]
fn only_the_player_whose_turn_it_is_may_act() {
    let s = four(json!({}), ["4 9", "3 J", "6 2", "2 2"]).after("4");
    for position in [0, 2, 3] {
        assert!(s.legal_of(s.seat(position)).is_empty());
    }
    s.expect(1, "J, pass");
}

#[test]
fn low_jokers_alone_are_the_lowest_rank_of_all() {
    let low = || json!({"jokers": "low"});
    assert_eq!(replies(low(), "2", "2 9", "* 3"), "3, pass", "a lone joker tops nothing");
    let s = four(low(), ["* 9", "2 4 *", "3", "3"]);
    s.expect(0, "9, 9+*, *");
    s.after("*").expect(1, "2, 4, pass");
    assert_eq!(s.after("*").table(), Some(("*", 1, 1)));
    let s = four(low(), ["* * A A", "2 2 4", "3", "3"]);
    s.expect(0, "A, A+*, A+**, Ax2, Ax2+*, Ax2+**, *, **");
    s.after("**").expect(1, "2x2, pass");
    assert_eq!(s.after("Ax2+*").table(), Some(("A", 3, 1)));
}

#[test]
fn wild_jokers_alone_are_any_rank() {
    let wild = || json!({"jokers": "wild"});
    assert_eq!(replies(wild(), "K", "K 2", "* 3"), "* as A, pass");
    assert_eq!(replies(wild(), "Ax2", "A A 2", "* * 3"), "pass", "nothing tops two aces");
    assert_eq!(replies(wild(), "Kx2", "K K 2", "* * Q"), "** as A, pass");
    assert_eq!(replies(wild(), "Jx2", "J J 2", "* * Q"), "** as Q, Q+*, ** as K, ** as A, pass");
    assert_eq!(replies(wild(), "Jx3", "J J J", "* * Q K"), "Q+**, K+**, pass");
    assert_eq!(replies(wild(), "Jx2", "J J 2", "* 3"), "pass", "one joker is no pair");
    let s = four(wild(), ["* A", "2", "3", "4"]).after("* as 7");
    assert_eq!(s.table(), Some(("7", 1, 1)));
    s.expect(1, "pass");
}

#[test]
fn wild_jokers_may_be_a_rank_whose_cards_were_all_taken_out() {
    let options = json!({"players": 7, "jokers": "wild"});
    let s = setup(options, &["* 2", "3", "4", "5", "6", "7", "9"]).playing();
    assert_eq!(s.0.table.deck.0[11], 0, "there is no 8");
    assert!(s.legal().contains(&"* as 8".to_owned()));
    assert!(!s.legal().contains(&"* as 11".to_owned()), "ranks of other decks are none");
}

#[test]
fn a_joker_beside_other_cards_is_one_more_of_them() {
    for jokers in ["low", "wild"] {
        let options = json!({"jokers": jokers});
        let found = replies(options, "5x2", "5 5 2", "* 3 5 6 6 K");
        assert_eq!(found, "6+*, 6x2, K+*, pass", "{jokers}");
    }
}

#[test]
fn jokers_may_be_held_back() {
    let s = four(json!({"jokers": "low"}), ["5 5 2", "6 6 * *", "2", "2"]).after("5x2");
    s.expect(1, "6+*, 6x2, pass");
}

#[test]
fn the_largest_set_has_ten_cards() {
    let options = json!({"players": 8, "deck": "extra_suits", "jokers": "low"});
    let hands = ["A A A A A A A A * * 2", "3", "4", "5", "6", "7", "9", "9"];
    let s = setup(options, &hands).playing().after("Ax8+**");
    assert_eq!(s.table(), Some(("A", 10, 2)));
    s.expect(1, "pass");
}

#[test]
fn a_last_card_is_announced_by_itself() {
    let s = four(json!({}), ["5 5 2", "9 9 9", "6 6", "2 3 4"]).after("5x2");
    assert_eq!(s.one_card(), [0], "three cards, two played");
    let s = s.after("9x2, pass, pass, pass");
    assert_eq!(s.one_card(), [0, 1]);
    assert_eq!(s.turn(), Some(1));
    // The player of a last card has no card left to announce. A player who goes out with several cards never announced
    // one.
    let s = s.after("9");
    assert_eq!((s.one_card(), s.0.table.trick.place(1)), (vec![0], 1));
    let s = four(json!({}), ["5 5", "9 9 9", "6 6", "2 3 4"]).after("5x2");
    assert_eq!(s.one_card(), Vec::<u8>::new());
}

#[test]
fn who_was_dealt_or_left_with_one_card_by_a_pass_announces_nothing_new() {
    let s = four(json!({}), ["5 2", "3", "4 4", "2 2"]).after("5");
    let t = s.after("pass, pass");
    assert_eq!((s.one_card(), t.one_card()), (vec![0], vec![0]));
}

#[test]
fn a_leader_may_pass_the_lead_on_but_not_all_of_them() {
    let options = || json!({"pass_on_lead": true});
    let s = setup(options(), &["4 2", "5 2", "", "6 2"]).playing();
    s.expect(0, "2, 4, pass");
    let s = s.after("pass");
    s.expect(1, "2, 5, pass");
    let s = s.after("pass");
    s.expect(3, "2, 6");
    // After a lead the others answer as usual, and the leader's earlier pass no longer counts.
    let s = s.after("2");
    s.expect(0, "4, pass");
    let s = s.after("pass, pass");
    assert_eq!((s.table(), s.turn()), (None, Some(3)));
    s.expect(3, "6, pass");
}

#[test]
fn passing_the_lead_on_is_no_pass_on_a_set() {
    let s = setup(json!({"pass_on_lead": true}), &["4 2", "5 2", "3 2", "6 2"]).playing().after("pass");
    assert_eq!(s.0.table.memory.passed_on, [[0; 6]; 12]);
    assert_eq!(s.after("2, pass").0.table.memory.passed_on[2][0], 2);
}

#[test]
fn without_the_option_nobody_passes_on_the_lead() {
    let s = four(json!({}), ["4 2", "5 2", "3 2", "6 2"]);
    s.expect(0, "2, 4");
}

/// The example in `rules.md`, read from its tables.
#[test]
fn the_example_of_the_rules_page_is_played_as_it_says() {
    const PAGE: &str = include_str!("../../rules.md");
    let set_up = |hands: &[&str]| setup(json!({"players": 4, "jokers": "low"}), hands).playing();
    assert_example_is_played(PAGE, set_up, |s| s.table().is_none(), |s| s.hand(2).is_empty());
}
