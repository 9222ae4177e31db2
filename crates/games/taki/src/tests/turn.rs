//! Matching, drawing, +2 cards, Kings, Plus.

use serde_json::json;

use super::situation::{Inspect as _, setup};

#[test]
fn cards_match_by_color_or_symbol() {
    let s = setup(json!({}), &["Gstop G4 R9 color super king +3 breaker", "B1", "B3"], "Rstop");
    s.expect(0, "R9, Gstop, color R, color B, color G, color Y, super R, king, +3, breaker");
}

#[test]
fn what_remained_is_nothing_until_a_card_is_laid() {
    let s = setup(json!({}), &["Rplus R1 R3", "B1"], "R5");
    let remained = |labels: &str| s.after(labels).view_json(1)["table"]["remained"].clone();
    assert_eq!(
        [remained(""), remained("Rplus"), remained("Rplus, R1")],
        [json!(null), json!(2), json!(null)]
    );
}

#[test]
fn drawing_is_for_who_is_stuck() {
    let top = "R5";
    setup(json!({}), &["B7 B9", "G1"], top).expect(0, "draw");
    setup(json!({}), &["B7 B9 R1", "G1"], top).expect(0, "R1");
    setup(json!({}), &["B7 breaker", "G1"], top).expect(0, "breaker, draw");
    let anytime = json!({"draw_policy": "anytime"});
    setup(anytime.clone(), &["B7 B9 R1", "G1"], top).expect(0, "R1, draw");
    setup(anytime, &["B7 B9", "G1"], top).expect(0, "draw");
}

#[test]
fn a_drawn_card_cannot_be_played_in_the_same_turn() {
    let s = setup(json!({}), &["B7 B9", "G1", "G3"], "R5").next_cards("R9").after("draw");
    assert_eq!((s.turn(), s.hand(0)), (Some(1), "R9 B7 B9".into()));
}

#[test]
fn plus_two_cards_pile_up_and_are_paid_at_once() {
    let s = setup(json!({}), &["R+2 R1", "B+2 B1 R3", "B6 G8 B7"], "R5").after("R+2, B+2");
    s.expect(2, "draw");
    let s = s.next_cards("Y1 Y3 Y4 Y5").after("draw");
    assert_eq!(s.sizes(), [1, 2, 7]);
    assert_eq!((s.turn(), s.0.table.debt, s.leading()), (Some(0), 0, "blue +2".into()));
    let s = setup(json!({}), &["R+2 B1 G+2 R8", "B+2 B1 R3", "B6 G8 B7"], "R5").after("R+2, B+2, draw");
    s.expect(0, "B1, G+2");
}

#[test]
fn on_a_stack_only_plus_two_and_king_and_paying_are_possible() {
    let s = setup(json!({}), &["R+2 R1", "R9 G+2 B+2 color super king +3 breaker", "B6"], "R5").after("R+2");
    s.expect(1, "B+2, G+2, king, draw");
    // A player may draw instead of answering.
    assert_eq!(s.after("draw").sizes(), [1, 10, 1]);
}

#[test]
fn a_king_cancels_a_stack_and_lets_any_card_follow() {
    let s = setup(json!({}), &["R+2 R1", "king Y3 G8", "B6"], "R5");
    let mut s = s.after("R+2");
    s.0.table.debt = 6;
    let s = s.after("king");
    assert_eq!(s.0.table.debt, 0);
    s.expect(1, "G8, Y3, end turn");
    let s = s.after("Y3");
    assert_eq!((s.leading(), s.turn(), s.sizes()), ("yellow 3".into(), Some(2), vec![1, 1, 1]));
}

#[test]
fn a_king_need_not_be_followed_and_leaves_only_the_color() {
    let s = setup(json!({}), &["R+2 R1", "king Y3 G8", "R1 B+2 +3 B4"], "R5").after("R+2, king, end turn");
    assert_eq!(s.leading(), "red -");
    s.expect(2, "R1, +3");
    assert_eq!(s.hand(1), "G8 Y3", "nothing is drawn");
}

#[test]
fn another_king_may_follow_a_king() {
    let s = setup(json!({}), &["king king B1 B3", "G1"], "R5").after("king");
    s.expect(0, "B1, B3, king, end turn");
    s.after("king").expect(0, "B1, B3, end turn");
}

#[test]
fn a_super_taki_on_a_king_takes_the_active_color_or_any() {
    let hands = ["king super B1", "G1"];
    assert!(setup(json!({}), &hands, "R5").after("king").legal().join(", ").contains("super R, end turn"));
    let choose = setup(json!({"super_on_king": "choose"}), &hands, "R5");
    choose.expect(0, "super R, king");
    let s = choose.after("king");
    s.expect(0, "B1, super R, super B, super G, super Y, end turn");
    let s = s.after("super B");
    s.expect(0, "B1");
}

#[test]
fn a_plus_demands_another_card() {
    let s = setup(json!({}), &["Rplus B8", "G1", "G3"], "R5").after("Rplus");
    s.expect(0, "draw");
    assert_eq!((s.after("draw").turn(), s.after("draw").sizes()), (Some(1), vec![2, 1, 1]));
    let s = setup(json!({}), &["Rplus Bplus B8 G4", "G1", "G3"], "R5").after("Rplus");
    s.expect(0, "Bplus");
    s.after("Bplus").expect(0, "B8");
    let s = setup(json!({}), &["Rplus B8 breaker", "G1", "G3"], "R5").after("Rplus");
    s.expect(0, "breaker, draw");
    let s = setup(json!({"draw_policy": "anytime"}), &["Rplus R8", "G1", "G3"], "R5").after("Rplus");
    s.expect(0, "R8, draw");
}

#[test]
fn a_breaker_in_turn_costs_three_cards_and_lets_the_card_below_lead() {
    let s = setup(json!({}), &["breaker B8", "R1 B5 B4 G1", "G3"], "R5").after("breaker");
    assert_eq!(s.sizes(), [4, 4, 1]);
    s.expect(1, "R1, B5");
    // As the only card it costs three cards and does not win.
    let s = setup(json!({}), &["breaker", "R1", "G3"], "R5").after("breaker");
    assert_eq!((s.sizes(), s.turn()), (vec![3, 1, 1], Some(1)));
    // It does not answer a debt.
    let s = setup(json!({}), &["R+2 R1", "breaker B8", "G3"], "R5").after("R+2");
    s.expect(1, "draw");
}

#[test]
fn change_color_asks_for_a_color_only() {
    let s = setup(json!({}), &["color B8", "R1 G5 B5 Gplus", "G3"], "R5").after("color G");
    assert_eq!(s.leading(), "green -");
    s.expect(1, "G5, Gplus");
}

#[test]
fn a_settled_plus_three_may_be_covered_or_not() {
    let hands = ["+3 R1 R3", "color super R4", "R6 R7"];
    let s = setup(json!({}), &hands, "R5").after("+3");
    assert!(s.may("color B") && s.may("super R"));
    let s = setup(json!({"cover_resolved_plus3": false}), &hands, "R5").after("+3");
    assert!(!s.may("color B") && !s.may("super R") && s.may("R4"));
    // A Breaker on the +3 lifts the ban.
    let hands = ["+3 R1 R3", "breaker B4 B6", "color super R7"];
    let s = setup(json!({"cover_resolved_plus3": false}), &hands, "R5").after("+3, decline, breaker");
    assert_eq!(s.turn(), Some(2));
    assert!(s.may("color B") && s.may("super R"));
}
