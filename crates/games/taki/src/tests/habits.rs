//! Kinds of moves that characterize a player's style.

use serde_json::json;

use super::situation::setup;

#[test]
fn cards_are_told_apart_by_what_they_do() {
    let hand = "R1 B5 Rstop color super king R3 R4";
    let s = setup(json!({"draw_policy": "anytime"}), &[hand, "B1 B3", "G1 G3"], "R5");
    assert_eq!(s.habits("R1"), ["play a number"]);
    let fits = ["play a number", "change the color", "play a card that fits by symbol only"];
    assert_eq!(s.habits("B5"), fits);
    assert_eq!(s.habits("Rstop"), ["play Stop, +2, Change Direction or Plus"]);
    assert_eq!(s.habits("color G"), ["play Change Color", "change the color"]);
    assert_eq!(s.habits("color R"), ["play Change Color"]);
    assert_eq!(s.habits("super R"), ["play a TAKI"]);
    assert_eq!(s.habits("king"), ["play King, +3 or Breaker in turn"]);
    assert_eq!(s.habits("draw"), ["draw, though able to play"]);
    assert_eq!(s.after("super R").habits("R3"), ["play a number", "continue a TAKI"]);
    assert_eq!(s.after("king").habits("end turn"), ["end the turn after a King"]);
}

#[test]
fn answers_are_told_from_other_cards() {
    let s = setup(json!({}), &["R+2 R1 R3", "B+2 B1 B3", "G1 G3"], "R5").after("R+2");
    let answer = [
        "play Stop, +2, Change Direction or Plus",
        "change the color",
        "answer +2 with +2",
        "play a card that fits by symbol only",
    ];
    assert_eq!(s.habits("B+2"), answer);
    assert_eq!(s.habits("draw"), ["take the cards owed, though able to answer"]);
    let s = setup(json!({}), &["+3 R1 R3", "R4 breaker", "R6 breaker"], "R5");
    assert_eq!(s.habits("+3"), ["play King, +3 or Breaker in turn"]);
    assert_eq!(s.after("+3").habits("breaker"), ["break or cancel a +3"]);
    assert_eq!(s.after("+3").habits("decline"), ["leave a +3 unanswered"]);
}
