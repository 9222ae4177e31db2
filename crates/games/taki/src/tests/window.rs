//! A +3, and the Breakers and Kings that answer it.

use serde_json::json;

use super::situation::{Inspect as _, setup};

#[test]
fn a_plus_three_makes_all_others_draw() {
    let s = setup(json!({}), &["+3 R1 R3", "R4 breaker", "R6 breaker"], "R5");
    s.after("+3").expect(1, "breaker, decline");
    s.after("+3, decline").expect(2, "breaker, decline");
    let s = s.after("+3, decline, decline");
    assert_eq!((s.sizes(), s.turn(), s.leading()), (vec![2, 5, 5], Some(1), "red 5".into()));
}

#[test]
fn the_first_breaker_turns_it_around() {
    // Only players who hold a Breaker are asked.
    let s = setup(json!({}), &["+3 R1 R3", "R4 B1", "R6 breaker"], "R5").after("+3");
    s.expect(2, "breaker, decline");
    let s = s.after("breaker");
    assert_eq!((s.sizes(), s.turn(), s.leading()), (vec![5, 2, 1], Some(1), "red 5".into()));
}

#[test]
fn the_next_players_king_cancels_it() {
    let s = setup(json!({}), &["+3 R1 R3", "king R4 B1", "R6 king"], "R5").after("+3");
    s.expect(1, "king, decline");
    let cancelled = s.after("king");
    cancelled.expect(1, "R4, B1, end turn");
    assert_eq!(cancelled.sizes(), [2, 2, 2], "nobody draws");
    assert_eq!(cancelled.after("end turn").turn(), Some(2));
    // Seat 2 also holds a King, but is not asked.
    let s = s.after("decline");
    assert_eq!((s.turn(), s.sizes()), (Some(1), vec![2, 6, 5]));
    // A player with both cards is asked once.
    let both = setup(json!({}), &["+3 R1 R3", "king breaker R4", "R6"], "R5").after("+3");
    both.expect(1, "king, breaker, decline");
    let off = setup(json!({"king_vs_plus3": "off"}), &["+3 R1 R3", "king R4 B1", "R6"], "R5").after("+3");
    assert_eq!((off.turn(), off.sizes()), (Some(1), vec![2, 6, 4]));
}

#[test]
fn the_next_player_is_the_one_in_the_direction_of_play() {
    let s = setup(json!({}), &["R1 R3 R7", "Rdir B1 B3 B4", "+3 R4 R6"], "R5").after("R1, Rdir, R3");
    // The order of turns is 0, 2, 1 now.
    assert_eq!(s.turn(), Some(2));
    let s = setup(json!({}), &["Rdir R3 R7", "king B1 B3 B4", "+3 R4 R6"], "R5").after("Rdir, +3");
    s.expect(1, "king, decline");
    let s = setup(json!({}), &["Rdir R3 king", "B8 B1 breaker", "+3 R4 R6"], "R5").after("Rdir, +3");
    s.expect(1, "breaker, decline");
    assert_eq!(s.after("decline").sizes(), [5, 6, 2]);
}

#[test]
fn a_plus_three_as_the_last_card() {
    let hands = ["+3", "breaker B1 B4", "R6"];
    let s = setup(json!({}), &hands, "R5").after("+3");
    let broken = s.after("breaker");
    assert_eq!((broken.sizes(), broken.turn()), (vec![3, 2, 1], Some(1)));
    assert_eq!(s.after("decline").places(), [1, 2, 2]);
    let at_once = setup(json!({"plus3_last": "wins_at_once"}), &hands, "R5").after("+3");
    assert_eq!((at_once.turn(), at_once.sizes()), (None, vec![0, 3, 1]), "nobody is asked, nobody draws");
}

#[test]
fn a_plus_three_as_the_last_card_and_a_king() {
    let s = setup(json!({}), &["+3", "king B1 B4", "R6"], "R5").after("+3, king");
    assert_eq!(s.places(), [1, 2, 2]);
    // The player of the +3 wins even if the King is also a last card.
    let s = setup(json!({}), &["+3", "king", "R6"], "R5").after("+3, king");
    assert_eq!(s.places(), [1, 2, 2]);
}

/// Returns rules under which a +3 answers a +3.
fn back() -> serde_json::Value {
    json!({"plus3_vs_plus3": "next_player"})
}

#[test]
fn the_next_players_plus_three_takes_its_place() {
    let s = setup(back(), &["+3 R1 R3", "+3 R4 B1", "R6 G1"], "R5").after("+3");
    s.expect(1, "+3, decline");
    let s = s.after("+3");
    assert_eq!((s.sizes(), s.turn(), s.leading()), (vec![5, 2, 5], Some(2), "red 5".into()));
    // A +3 is no answer by default, nor from any player except the next one.
    let s = setup(json!({}), &["+3 R1 R3", "+3 R4 B1", "R6 G1"], "R5").after("+3");
    assert_eq!(s.sizes(), [2, 6, 5]);
    let s = setup(back(), &["+3 R1 R3", "R4 B1", "+3 R6"], "R5").after("+3");
    assert_eq!((s.turn(), s.sizes()), (Some(1), vec![2, 5, 5]));
}

#[test]
fn a_plus_three_that_answers_is_answered_in_turn() {
    let s = setup(back(), &["+3 breaker R3", "+3 R4 B1", "king R6"], "R5").after("+3, +3");
    s.expect(2, "king, decline");
    s.after("decline").expect(0, "breaker, decline");
    let broken = s.after("decline, breaker");
    assert_eq!((broken.sizes(), broken.turn()), (vec![1, 5, 2], Some(2)));
    let cancelled = s.after("king");
    cancelled.expect(2, "R6, end turn");
    assert_eq!(cancelled.sizes(), [2, 2, 1]);
}

#[test]
fn a_plus_three_on_a_last_plus_three_comes_too_late() {
    let s = setup(back(), &["+3", "+3 B1 B4", "R6"], "R5").after("+3, +3");
    assert_eq!(s.places(), [1, 2, 2]);
    // A second +3 that is a last card wins once it is carried out.
    let s = setup(back(), &["+3 R1 R3", "+3", "R6 B8"], "R5").after("+3, +3");
    assert_eq!((s.places(), s.sizes()), (vec![2, 1, 2], vec![5, 0, 5]));
    let s = setup(back(), &["+3 R1 breaker", "+3", "R6 B8"], "R5").after("+3, +3, breaker");
    assert_eq!((s.sizes(), s.turn()), (vec![1, 3, 2], Some(2)));
}

#[test]
fn the_first_player_says_last_card_before_the_second_plus_three() {
    let options = json!({"plus3_vs_plus3": "next_player", "last_card": "declare", "last_card_penalty": 1});
    let s = setup(options, &["+3 R1", "+3 R4 B1", "R6 breaker"], "R5").after("+3, decline");
    assert_eq!(s.turn(), Some(2), "the next player declined");
    let options = json!({"plus3_vs_plus3": "next_player", "last_card": "declare", "last_card_penalty": 1});
    let s = setup(options, &["+3 R1", "+3 R4 B1", "R6 breaker"], "R5").after("+3, +3");
    s.expect(0, "last card, silent");
    s.after("last card").expect(2, "breaker, decline");
    assert_eq!(s.after("last card, decline").sizes(), [4, 2, 5]);
    // The penalty may bring a Breaker; then the first player is also asked.
    let mut moves = "silent, decline".to_owned();
    if s.after(&moves).sizes() == [2, 2, 2] {
        moves += ", decline";
    }
    assert_eq!(s.after(&moves).sizes(), [5, 2, 5]);
}

#[test]
fn a_plus_three_beyond_the_last_decision_is_settled_unasked() {
    let options = json!({"plus3_vs_plus3": "next_player", "max_decisions": 1});
    let s = setup(options, &["+3 R1 R3", "+3 R4 B1", "breaker G1"], "R5").after("+3, +3");
    assert_eq!((s.turn(), s.sizes()), (None, vec![5, 2, 5]));
}

#[test]
fn a_breaker_as_the_last_card_wins() {
    let s = setup(json!({}), &["+3 R1 R3", "R4 B1", "breaker"], "R5").after("+3, breaker");
    assert_eq!((s.places(), s.sizes()), (vec![2, 2, 1], vec![5, 2, 0]));
}

#[test]
fn a_king_in_the_window_as_the_last_card_wins() {
    let s = setup(json!({}), &["+3 R1 R3", "king", "R6 B8"], "R5").after("+3, king");
    assert_eq!(s.places(), [2, 1, 2]);
}

#[test]
fn a_plus_three_on_a_live_stack_is_not_possible_and_after_a_plus_it_is() {
    let s = setup(json!({}), &["R+2 R1", "+3 R4", "R6"], "R5").after("R+2");
    s.expect(1, "draw");
    let s = setup(json!({}), &["Rplus +3 R1 B8", "R4", "R6"], "R5").after("Rplus, +3");
    assert_eq!((s.sizes(), s.turn(), s.leading()), (vec![2, 4, 4], Some(1), "red plus".into()));
}

#[test]
fn after_a_king_a_plus_three_leaves_the_color_alone() {
    let s = setup(json!({}), &["king +3 R1 B8", "R4 B5", "R6"], "R5").after("king, +3");
    assert_eq!(s.leading(), "red -");
    assert!(s.may("R4") && !s.may("B5"));
}
