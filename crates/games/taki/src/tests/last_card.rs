//! Announcing "last card".

use cardsharp_engine::game::Actions;
use serde_json::json;

use super::situation::{Inspect as _, Situation, setup};

fn announced(s: &Situation) -> Vec<u8> {
    s.0.table.announced.iter().collect()
}

#[test]
fn it_announces_itself() {
    let s = setup(json!({}), &["R1 R3", "R4 R6", "G1 B8 B9"], "R5").after("R1");
    assert_eq!((announced(&s), s.turn()), (vec![0], Some(1)));
    let s = s.after("R4, draw");
    assert_eq!(announced(&s), [0, 1]);
    // Drawing a card cancels the announcement.
    let s = setup(json!({}), &["R1 B3", "R4 R+2", "G1 B8 B9"], "R5").after("R1, R+2, draw");
    assert_eq!(announced(&s), [0, 1]);
    let s = s.after("draw");
    assert_eq!(announced(&s), [1]);
}

#[test]
fn a_player_may_say_it_or_draw() {
    let s = setup(json!({"last_card": "declare"}), &["R1 R3", "R4 R6 B1", "G1 B8 B9"], "R5").after("R1");
    s.expect(0, "last card, silent");
    assert_eq!(s.0.phase(), "last card");
    let silent = s.after("silent");
    assert_eq!((silent.sizes(), silent.turn(), announced(&silent)), (vec![5, 3, 3], Some(1), vec![]));
    let said = s.after("last card");
    assert_eq!((said.sizes(), said.turn(), announced(&said)), (vec![1, 3, 3], Some(1), vec![0]));
    let two = setup(json!({"last_card": "declare", "last_card_penalty": 2}), &["R1 R3", "R4"], "R5");
    assert_eq!(two.after("R1, silent").sizes(), [3, 1]);
    let none = setup(json!({"last_card": "declare", "last_card_penalty": 0}), &["R1 R3", "R4"], "R5");
    assert_eq!(none.after("R1, silent").sizes(), [1, 1]);
}

#[test]
fn during_a_run_only_the_final_count_matters() {
    let s = setup(json!({"last_card": "declare"}), &["Rtaki R1 R3", "R4 R6", "G1 B8"], "R5");
    let s = s.after("Rtaki, R1");
    s.expect(0, "R3");
    assert_eq!(s.after("R3").turn(), None, "he has won without having been asked");
    let s = setup(json!({"last_card": "declare"}), &["Rtaki R1 B3", "R4 R6", "G1 B8"], "R5");
    s.after("Rtaki, R1, close taki").expect(0, "last card, silent");
}

#[test]
fn a_plus_paid_with_a_drawn_card_needs_no_announcement() {
    let s = setup(json!({"last_card": "declare"}), &["Rplus", "R4 R6", "G1 B8"], "R5").after("Rplus");
    assert_eq!((s.sizes(), s.turn(), announced(&s)), (vec![1, 2, 2], Some(1), vec![]));
    let s = setup(json!({}), &["Rplus", "R4 R6", "G1 B8"], "R5").after("Rplus");
    assert_eq!(announced(&s), [] as [u8; 0]);
}

#[test]
fn a_silent_player_may_be_caught() {
    let options = json!({"last_card": "challenge"});
    let s = setup(options, &["R1 R3", "R4 R6 B1", "G1 B8 B9"], "R5").after("R1, silent");
    s.expect(1, "catch, let go");
    let caught = s.after("let go, catch");
    assert_eq!((caught.sizes(), caught.turn()), (vec![5, 3, 3], Some(1)));
    assert_eq!(s.after("catch").sizes(), [5, 3, 3]);
    let gone = s.after("let go, let go");
    assert_eq!((gone.sizes(), gone.turn(), announced(&gone)), (vec![1, 3, 3], Some(1), vec![]));
}

#[test]
fn others_are_asked_in_the_direction_that_holds_then_skipped_ones_too() {
    let options = json!({"last_card": "challenge"});
    let s = setup(options.clone(), &["Rdir R3", "R4 R6 B1", "G1 B8 B9"], "R5").after("Rdir, silent");
    assert_eq!(s.turn(), Some(2));
    assert_eq!(s.after("let go").turn(), Some(1));
    assert_eq!(s.after("let go, let go").turn(), Some(2), "then it is his turn");
    let s = setup(options, &["Rstop R3", "R4 R6 B1", "G1 B8 B9"], "R5").after("Rstop, silent");
    assert_eq!(s.turn(), Some(1));
    assert_eq!(s.after("catch").turn(), Some(2), "the Stop still skips him");
}

#[test]
fn who_broke_a_plus_three_may_be_down_to_one_card() {
    let options = json!({"last_card": "declare"});
    let s = setup(options, &["+3 R3", "R4 R6 B1", "breaker B8"], "R5").after("+3, breaker");
    s.expect(2, "last card, silent");
    assert_eq!(s.after("last card").turn(), Some(1));
    let auto = setup(json!({}), &["+3 R3", "R4 R6 B1", "breaker B8"], "R5").after("+3, breaker");
    assert_eq!((announced(&auto), auto.turn()), (vec![2], Some(1)));
}

#[test]
fn before_a_cancelling_king_is_followed_the_player_of_the_plus_three_says_it() {
    let options = json!({"last_card": "declare"});
    let s = setup(options, &["+3 R3", "king R4 R6", "B8 B9"], "R5").after("+3, king");
    s.expect(0, "last card, silent");
    let s = s.after("silent");
    assert_eq!(s.sizes()[0], 5);
    s.expect(1, "R4, R6, end turn");
    s.after("R4").expect(1, "last card, silent");
}

#[test]
fn a_king_alone_and_an_unbroken_plus_three_are_plays() {
    let options = json!({"last_card": "declare"});
    let s = setup(options.clone(), &["king R3", "R4 R6", "B8 B9"], "R5").after("king, end turn");
    s.expect(0, "last card, silent");
    let s = setup(options, &["+3 R3", "R4 R6", "B8 B9"], "R5").after("+3");
    s.expect(0, "last card, silent");
}
