//! Stages of a tournament.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Narrate;
use serde_json::json;

use super::super::Round;
use super::super::state::{GameEnd, Stage};
use super::situation::{Inspect as _, Situation, setup};

fn tournament(hands: &[&str]) -> Situation {
    setup(json!({"mode": "tournament"}), hands, "R5")
}

#[test]
fn an_empty_hand_finishes_a_stage_and_the_cards_effect_stands() {
    let s = tournament(&["Rstop", "R4 B8", "G1 R9"]).stage(0, 3).after("Rstop");
    assert_eq!((s.0.table.stages[0], s.sizes(), s.turn()), (2, vec![2, 2, 2], Some(2)));
    let s = tournament(&["R+2", "R4 B8", "G1 R9"]).stage(0, 5).after("R+2");
    assert_eq!((s.sizes(), s.0.table.debt, s.turn()), (vec![4, 2, 2], 2, Some(1)));
    let s = tournament(&["Rtaki", "R4 B8", "G1 R9"]).stage(0, 5).after("Rtaki");
    assert!(s.0.table.open);
}

#[test]
fn who_finishes_stage_one_wins() {
    let s = tournament(&["R1", "R4 B8", "G1 R9"]).stage(0, 1).after("R1");
    assert_eq!(s.0.table.stage, Stage::Over(GameEnd::Won(Seat(0))));
    assert_eq!(s.places(), [1, 2, 2]);
}

#[test]
fn the_new_cards_are_not_played_in_the_same_turn_but_after_a_stop_between_two() {
    let s = tournament(&["Rstop", "R4 B8"]).stage(0, 3).next_cards("R1 R3").after("Rstop");
    s.expect(0, "R1, R3");
}

#[test]
fn a_plus_does_not_finish_a_stage() {
    let s = tournament(&["Rplus", "R4 B8"]).stage(0, 5).after("Rplus");
    assert_eq!((s.0.table.stages[0], s.sizes()), (5, vec![1, 2]));
}

#[test]
fn the_one_card_of_stage_one_needs_no_announcement() {
    let s = setup(json!({"mode": "tournament", "last_card": "declare"}), &["R1", "R4 B8"], "R5").stage(0, 2);
    let s = s.after("R1");
    assert_eq!((s.turn(), s.sizes(), s.0.table.announced.len()), (Some(1), vec![1, 2], 0));
}

#[test]
fn a_breaker_may_finish_a_stage_in_the_window() {
    let s = tournament(&["+3 R1 R3", "R4 B8", "breaker"]).stage(2, 4).after("+3, breaker");
    assert_eq!((s.sizes(), s.0.table.stages[2], s.turn()), (vec![5, 2, 3], 3, Some(1)));
    // The player of the +3 draws first.
    let s = tournament(&["+3 R1 R3", "R4 B8", "breaker"]).stage(2, 2).next_cards("Y1 Y3 Y4 Y5");
    let s = s.after("+3, breaker");
    assert_eq!((s.hand(0), s.hand(2)), ("R1 R3 Y1 Y3 Y4".into(), "Y5".into()));
}

#[test]
fn a_plus_three_as_the_last_card_of_a_stage() {
    let hands = ["+3", "R4 B8", "breaker B1"];
    let s = tournament(&hands).stage(0, 4).after("+3");
    assert_eq!((s.sizes(), s.0.table.stages[0]), (vec![0, 2, 2], 4), "the window comes first");
    let declined = s.after("decline");
    assert_eq!((declined.sizes(), declined.0.table.stages[0]), (vec![3, 5, 5], 3));
    let broken = s.after("breaker");
    assert_eq!((broken.sizes(), broken.0.table.stages[0]), (vec![3, 2, 1], 4), "not finished");
    let options = json!({"mode": "tournament", "plus3_last": "wins_at_once"});
    let s = setup(options, &hands, "R5").stage(0, 4).after("+3");
    assert_eq!((s.sizes(), s.0.table.stages[0]), (vec![3, 2, 2], 3), "finished at once");
    assert_eq!(s.after("breaker").sizes(), [6, 2, 1], "and three more");
    assert_eq!(s.after("decline").sizes(), [3, 5, 5]);
}

#[test]
fn a_plus_three_cancelled_by_a_last_king_finishes_both_stages() {
    let s = tournament(&["+3", "king", "B1 B3"]).stage(0, 4).stage(1, 3).after("+3, king");
    assert_eq!((s.sizes(), s.turn()), (vec![3, 2, 2], Some(2)));
    assert_eq!(s.0.table.stages[..3], [3, 2, 8]);
}

#[test]
fn cut_off_tournaments_are_ranked_by_stage_then_cards() {
    let options = json!({"mode": "tournament", "max_decisions": 1, "ranking": "hand_size"});
    let s = setup(options, &["R1 R3 R4", "B1", "G1 G3", "Y1"], "R5");
    let s = s.stage(0, 2).stage(1, 5).stage(2, 2).stage(3, 6).after("R1");
    assert_eq!(s.places(), [1, 3, 1, 4]);
    let s = setup(json!({"mode": "tournament", "ranking": "hand_size"}), &["R1", "B1", "G1 G3", "Y1"], "R5");
    let s = s.stage(0, 1).stage(1, 5).stage(2, 2).stage(3, 1).after("R1");
    assert_eq!(s.places(), [1, 4, 3, 2], "the winner, then the lowest stage");
}

#[test]
fn a_stage_that_begins_without_cards_is_not_finished_by_itself() {
    // The only card left to draw is the one below the last card.
    let s = tournament(&["R1", "B4 B8", "G1 G3"]).stage(0, 3).all_cards_to(2).after("R1");
    assert_eq!((s.sizes()[0], s.0.table.stages[0]), (1, 2), "one card of two");
}

#[test]
fn of_two_stages_in_one_decision_the_one_finished_first_is_told_first() {
    let s = tournament(&["R1 king", "+3"]).stage(0, 3).stage(1, 4).after("R1, +3");
    let s = s.next_cards("Y1 Y3 Y4 B1 B3");
    let kinged = s.after("king");
    let log: Vec<_> = Round::events(Some(&s.0), &kinged.0);
    assert_eq!(
        log,
        [
            json!({"event": "draw", "seat": 1, "cards": "Y1 Y3 Y4"}),
            json!({"event": "stage", "seat": 1, "stage": 3}),
            json!({"event": "draw", "seat": 0, "cards": "B1 B3"}),
            json!({"event": "stage", "seat": 0, "stage": 2}),
        ]
    );
}
