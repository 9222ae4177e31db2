//! Impossible lines in event logs, and their error messages.

use cardsharp_engine::testing::observed;
use serde_json::{Value, json};

use crate::Round;

fn header() -> Value {
    let rules = json!({"players": 3, "first_player": "seat0"});
    json!({"line": "header", "protocol": 1, "game": "taki", "seat": 0, "players": 3, "rules": rules})
}

fn deal(hand: &str) -> Value {
    json!({
        "line": "deal", "round": 1, "hand": hand, "sizes": [8, 8, 8], "turned": "R5", "begins": 0, "pile": 91,
    })
}

fn changed(mut line: Value, field: &str, value: Value) -> Value {
    line[field] = value;
    line
}

fn moved(seat: u8, choice: &str) -> Value {
    json!({"line": "move", "round": 1, "seat": seat, "choice": choice})
}

fn drew(seat: u8, count: u8) -> Value {
    json!({"line": "event", "round": 1, "event": "draw", "seat": seat, "count": count})
}

fn drew_cards(cards: &str) -> Value {
    json!({"line": "event", "round": 1, "event": "draw", "seat": 0, "cards": cards})
}

const HAND: &str = "R1 R3 R3 B4 G6 G7 breaker breaker";

/// Checks the error message for the last of these lines; the others are correct.
#[track_caller]
fn refused(hand: &str, lines: &[Value], problem: &str) {
    let all: Vec<Value> = [header(), deal(hand)].into_iter().chain(lines.iter().cloned()).collect();
    let error = observed::<Round>(&all).unwrap_err().to_string();
    assert!(error.ends_with(problem), "{error}");
}

#[test]
fn a_deal_that_the_rules_do_not_give() {
    let problem = |line: Value| observed::<Round>(&[header(), line]).unwrap_err().to_string();
    let cases = [
        (deal("R1 R3"), "line 2: impossible: `hand` has 2 cards, but 8 are dealt"),
        (deal("R1 R1 R1 R3 R4 B1 B3 B4"), "the deck has only 2 cards `R1`"),
        (deal("R5 R5 R1 R3 R4 B1 B3 B4"), "`hand` and `turned` have more cards R5 than the deck"),
        (changed(deal(HAND), "turned", json!("king")), "king cannot start the discard pile"),
        (changed(deal(HAND), "turned", json!("")), "`turned` has no card: one starts the discard pile"),
        (
            changed(deal(HAND), "turned", json!("R5 R6")),
            "R5 starts the discard pile: no card is turned up after it",
        ),
        (changed(deal(HAND), "begins", json!(1)), "seat 1 starts, but by these rules seat 0 does"),
        (changed(deal(HAND), "begins", json!(3)), "`begins` is not a seat of this game"),
        (changed(deal(HAND), "pile", json!(90)), "pile is 90, but the rules give 91"),
        (changed(deal(HAND), "hand", json!(["R1"])), "`hand` is missing, or not a text of cards"),
    ];
    for (line, expected) in cases {
        let error = problem(line);
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn a_card_that_cannot_be_held() {
    refused(HAND, &[moved(0, "R1"), moved(1, "R3")], "seat 1 cannot hold R3: no R3 is left for it");
    refused(HAND, &[moved(0, "R7")], "seat 0 cannot play `R7` now");
    refused(HAND, &[moved(1, "R7")], "it is not the turn of seat 1");
    refused(HAND, &[moved(0, "R1"), moved(1, "B3")], "seat 1 cannot play `B3` now");
}

#[test]
fn a_card_that_its_player_has_shown_not_to_hold() {
    // Seat 1 could play neither red nor ones, and has drawn only one card since.
    let lines = [
        moved(0, "R1"),
        moved(1, "draw"),
        drew(1, 1),
        moved(2, "R9"),
        moved(0, "R3"),
        moved(1, "R8"),
        moved(2, "R9"),
        moved(0, "R3"),
        moved(1, "R7"),
    ];
    refused(HAND, &lines, "seat 1 has shown that it holds no R7");
    assert!(observed::<Round>(&[vec![header(), deal(HAND)], lines[..8].to_vec()].concat()).is_ok());
}

#[test]
fn draws_that_do_not_follow() {
    let stuck = "B4 B4 G6 G6 G7 G7 Y8 Y9";
    refused(
        stuck,
        &[moved(0, "draw"), drew_cards("B4")],
        "seat 0 cannot draw B4: it is not in the draw pile",
    );
    refused(stuck, &[moved(0, "draw"), drew_cards("R5 R6")], "cards is \"R5 R6\", but the rules give \"R5\"");
    refused(stuck, &[moved(0, "draw"), drew_cards("R5x")], "breaker");
    refused(stuck, &[moved(0, "draw"), drew(0, 1)], "`cards` is missing, or not a text of cards");
    let one = [moved(0, "draw"), drew_cards("R6")];
    let and = |more: &[Value]| [&one[..], more].concat();
    refused(stuck, &and(&[moved(1, "draw"), drew(1, 2)]), "count is 2, but the rules give 1");
    let odd = changed(drew(1, 1), "count", json!("one"));
    refused(stuck, &and(&[moved(1, "draw"), odd]), "`count` is missing, or not a number of cards");
    let many = changed(drew(1, 1), "count", json!(u64::MAX));
    refused(
        stuck,
        &and(&[moved(1, "draw"), many, drew_cards("R7")]),
        "more than 90 cards are drawn from a pile of 90",
    );
}

#[test]
fn answers_that_nobody_learns_of_or_gives() {
    let hand = "R3 R3 B4 G6 G7 +3 breaker breaker";
    refused(
        hand,
        &[moved(0, "+3"), moved(1, "decline")],
        "it is secret that seat 1 leaves the +3 unanswered",
    );
    refused(
        hand,
        &[moved(0, "+3"), moved(1, "breaker")],
        "seat 1 cannot hold breaker: no breaker is left for it",
    );
    refused(hand, &[moved(0, "+3"), moved(2, "king")], "seat 2 cannot play `king` now");
    let silent = json!({"line": "move", "round": 1, "seat": 1});
    refused(hand, &[moved(0, "R3"), silent], "this move needs its `choice`, or must be left out");
}
