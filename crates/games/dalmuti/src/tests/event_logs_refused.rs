//! Event logs with impossible content.

use cardsharp_engine::Seat;
use cardsharp_engine::log::Audience;
use cardsharp_engine::testing::observed;
use serde_json::{Value, json};

use super::super::Round;
use super::situation::{Inspect as _, Situation, setup};

/// A deal in which position 2 holds most of the 7s and a Jester.
fn dealt() -> Situation {
    setup(json!({"players": 5}), &["12 12 1", "12", "7 7 7 7 7 7 J", "2 3", "2 3"]).dealt()
}

const PICKS: &str = "give 12, give 12, give 12";

fn replay(seat: u8, choice: &str) -> Value {
    json!({"line": "move", "round": 1, "seat": seat, "choice": choice})
}

/// The error of an observer after changes to the lines that follow the moves `before`.
#[track_caller]
fn refusal(s: &Situation, seat: u8, before: &str, change: impl Fn(&mut Vec<Value>)) -> String {
    let mut log = s.log(&s.0.table.rules, before, Audience::Seat(Seat(seat)));
    let mut lines = log.split_off(1);
    change(&mut lines);
    log.append(&mut lines);
    observed::<Round>(&log).expect_err("it was not refused").to_string()
}

#[test]
fn a_deal_that_cannot_be_is_refused() {
    let s = dealt();
    let refused = |field: &str, value: Value| refusal(&s, 2, "", |lines| lines[0][field] = value.clone());
    let cards = s.hand(2);
    assert_eq!(
        refused("hand", json!(cards.rsplit_once(' ').unwrap().0)),
        "line 2: impossible: `hand` has 15 cards, but 16 are dealt to this seat"
    );
    assert_eq!(
        refused("hand", json!(cards.replacen('J', "1", 1).replacen('7', "1", 1))),
        "line 2: impossible: `hand` holds more cards of a rank than the deck"
    );
    assert_eq!(
        refused("hand", json!("1 13")),
        "line 2: impossible: `hand`: `13` is not a card: expected 1 to 12 or J"
    );
    assert_eq!(
        refused("order", json!([0, 1, 2, 3, 3])),
        "line 2: impossible: `order` is [0,1,2,3,3], expected each seat from 0 to 4 once"
    );
    let exposed = json!({"card": "1", "receiver": 0});
    assert_eq!(refused("exposed", exposed), "line 2: impossible: no card is ever exposed by these rules");
    assert_eq!(
        refused("sizes", json!([16, 16, 16, 16, 15])),
        "line 2: sizes[4] is 15, but the rules give 16"
    );
}

#[test]
fn cards_that_are_not_unseen_cannot_be_played() {
    let refused = |line: Value| refusal(&dealt(), 2, PICKS, |lines| lines.push(line.clone()));
    assert_eq!(
        refused(replay(0, "7x3")),
        "line 7: impossible: seat 0 plays `7x3`: it takes 3 x 7, but 1 x 7 are unseen"
    );
    assert_eq!(refused(replay(1, "12")), "line 7: impossible: it is not the turn of seat 1");
    assert_eq!(refused(replay(0, "pass")), "line 7: impossible: seat 0 cannot play `pass` now");
    assert_eq!(refused(replay(0, "8x9")), "line 7: impossible: there is no move `8x9`");
    assert_eq!(
        refused(json!({"line": "move", "round": 1, "seat": 0})),
        "line 7: impossible: this move needs its `choice`, or must be left out"
    );
}

#[test]
fn revolutions_take_both_jesters_and_come_first() {
    let call = |seat: u8, before: &str| {
        refusal(&dealt(), seat, before, |lines| lines.push(replay(3, "call revolution")))
    };
    assert_eq!(
        call(2, ""),
        "line 3: impossible: seat 3 calls a revolution: it takes 2 x J, but 1 x J are unseen"
    );
    let late = "seat 3 calls a revolution, but not before the first tax or card";
    assert_eq!(call(4, PICKS), format!("line 7: impossible: {late}"));
    let options = json!({"players": 5, "first_deal_revolution": true});
    let s = setup(options, &["", "", "", "", "J"]).dealt();
    assert_eq!(
        refusal(&s, 1, "", |lines| lines.push(replay(3, "call revolution"))),
        "line 3: impossible: only the Greater Peon may call a revolution in this first hand"
    );
}

#[test]
fn taxes_that_cannot_be_are_refused() {
    let s = dealt();
    let paid = |cards: &str| {
        refusal(&s, 0, PICKS, |lines| {
            let tribute = lines.iter_mut().find(|line| line["event"] == "tribute").unwrap();
            tribute["cards"] = json!(cards);
        })
    };
    let tribute = |cards: &str, problem: &str| {
        assert_eq!(paid(cards), format!("line 6: impossible: tribute of \"{cards}\": {problem}"));
    };
    tribute("2", "1 cards, expected 2");
    tribute("2 J", "a Jester is never paid");
    tribute("1 2", "it takes 1 x 1, but 0 x 1 are unseen");
    tribute("12 12", "in every possible deal of the unseen cards that hand holds better cards");
    let given = refusal(&s, 4, PICKS, |lines| {
        let back = lines.iter_mut().find(|line| line["event"] == "return").unwrap();
        back["cards"] = json!("2 2");
    });
    assert_eq!(given, "line 2: impossible: return of \"2 2\": it takes 2 x 2, but 1 x 2 are unseen");
    let seen = refusal(&s, 4, "", |lines| lines.push(replay(0, "give 12")));
    assert_eq!(seen, "line 3: impossible: the choice of seat 0 there is not public");
}

#[test]
fn a_peon_who_kept_better_cards_than_he_paid_is_found_out() {
    // The Greater Dalmuti received a 2 and a 3 and returned 12s, so the payer cannot play the other 2.
    let s = setup(json!({"players": 5}), &["12 12 1", "12", "7", "2", "2 3"]).dealt();
    let moves = format!("{PICKS}, 11, pass, pass, pass");
    let refused = refusal(&s, 0, &moves, |lines| lines.push(replay(4, "2")));
    assert_eq!(refused, "line 16: impossible: no deal of the cards leads to it");
}
