//! Categories of moves.

use serde_json::json;

use super::situation::setup;

#[test]
fn plays_are_told_apart_by_what_was_held_and_what_lay_there() {
    let s =
        setup(json!({"pass_on_lead": true, "jokers": "wild"}), &["5 5 5 9 A", "6 6 *", "3", "4"]).playing();
    assert_eq!(s.habits("5x2"), ["lead", "split a rank"]);
    assert_eq!(s.habits("A"), ["lead", "lead a single card"]);
    assert_eq!(s.habits("pass"), ["pass the lead on"]);
    let s = s.after("5x3");
    assert_eq!(s.habits("6x2+*"), ["follow", "play a joker"]);
    assert_eq!(s.habits("pass"), ["pass, though able to play"]);
}
