//! Categories of moves.

use serde_json::json;

use super::situation::setup;

#[test]
fn plays_are_told_apart_by_what_was_held_and_what_lay_there() {
    let s = setup(json!({"players": 5}), &["8 8 8 3", "5 J J 9", "7 7 12", "12 12", "12 12"]).playing();
    assert_eq!(s.habits("8x3"), ["lead"]);
    assert_eq!(s.habits("8x2"), ["lead", "split a rank"]);
    assert_eq!(s.habits("3"), ["lead", "lead a single card"]);
    let s = s.after("8x2");
    assert_eq!(s.habits("5+J"), ["follow", "play a Jester"]);
    assert_eq!(s.habits("pass"), ["pass, though able to play"]);
    assert_eq!(s.after("pass").habits("7x2"), ["follow"]);
}

#[test]
fn what_comes_before_the_play_has_habits_of_its_own() {
    let five = json!({"players": 5, "merchant_exchange": "blind_choice"});
    let s = setup(five, &["", "J J"]).dealt();
    assert_eq!(s.habits("call revolution"), ["call a revolution"]);
    assert_eq!(s.habits("decline revolution"), ["decline a revolution"]);
    let s = setup(json!({"players": 5}), &["J 3 4"]).dealt();
    assert_eq!(s.habits("give J"), ["give a Jester"]);
    assert_eq!(s.habits("give 4"), [""; 0]);
}
