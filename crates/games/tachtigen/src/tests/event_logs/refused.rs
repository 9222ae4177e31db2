//! Impossible event logs, and their error messages.

use cardsharp_engine::testing::observed;
use serde_json::{Value, json};

use super::{Round, record};
use crate::tests::situation::{HANDS, setup};

/// Seat 1 becomes the partner in the first trick, because it has the called ace.
const MOVES: &str = "bid 80, pass, pass, pass, discard S8, trump H, ask SA, call, SK, SA, DJ, S9";

/// Returns the error message for a seat's event log after this change.
#[track_caller]
fn said(options: Value, moves: &str, seat: u8, change: impl FnOnce(&mut Vec<Value>)) -> String {
    let mut log = record(&setup(options, HANDS, "SQ"), moves, Some(seat));
    observed::<Round>(&log).unwrap();
    change(&mut log);
    let error = observed::<Round>(&log).expect_err("it cannot be");
    error.to_string().split_once(": ").map_or_else(String::new, |(_, problem)| problem.to_owned())
}

/// Like [`said`], for [`MOVES`] with the default rules.
#[track_caller]
fn of_moves(seat: u8, change: impl FnOnce(&mut Vec<Value>)) -> String {
    said(json!({}), MOVES, seat, change)
}

/// Returns the first line with this value.
#[track_caller]
fn line<'a>(log: &'a mut [Value], field: &str, value: impl Into<Value>) -> &'a mut Value {
    let value = value.into();
    log.iter_mut().find(|line| line[field] == value).expect("such a line")
}

/// Returns a change that replaces the first choice with this label.
fn instead(of: &'static str, other: &'static str) -> impl FnOnce(&mut Vec<Value>) {
    move |log| line(log, "choice", of)["choice"] = json!(other)
}

fn without_event(kind: &'static str) -> impl FnOnce(&mut Vec<Value>) {
    move |log| log.retain(|line| line["event"] != kind)
}

#[test]
fn cards_that_cannot_be_where_they_are_played() {
    let cannot = |why: &str| format!("impossible: {why}");
    assert_eq!(of_moves(1, instead("SK", "SA")), cannot("seat 0 plays SA, but seat 1 holds it"));
    assert_eq!(of_moves(0, instead("DJ", "S8")), cannot("seat 2 plays S8, but seat 0 has put it aside"));
    assert_eq!(of_moves(1, instead("S9", "SK")), cannot("seat 3 plays SK, but it was played before"));
    let kitty = of_moves(1, instead("S9", "SQ"));
    assert_eq!(kitty, cannot("seat 3 plays SQ, but that seat is known not to have it"));
    // A bidder who calls a spade must lead one.
    let other = of_moves(2, instead("SK", "C9"));
    assert_eq!(other, cannot("seat 0 chose `C9`, and no deal of the hidden cards leads to this record"));
    assert_eq!(of_moves(1, instead("SA", "S7")), cannot("seat 1 cannot play `S7` now"));
    // To ask for a spade the bidder must hold one, but eight are elsewhere.
    let spades = ["HA H9 C9 CT CJ CQ CK CA", "S7 S8 S9 ST SJ SQ SK SA", "HT", "HJ"];
    let mut log = record(
        &setup(json!({}), spades, "D7"),
        "bid 80, pass, pass, pass, discard D7, trump H, ask HQ",
        Some(1),
    );
    line(&mut log, "choice", "ask HQ")["choice"] = json!("ask SA");
    let error = observed::<Round>(&log).unwrap_err().to_string();
    assert!(
        error.ends_with("seat 0 chose `ask SA`, and no deal of the hidden cards leads to this record"),
        "{error}"
    );
}

#[test]
fn turns_and_moves_that_cannot_be() {
    let cannot = |why: &str| format!("impossible: {why}");
    let turn = of_moves(1, |log| line(log, "choice", "bid 80")["seat"] = json!(2));
    assert_eq!(turn, cannot("it is not the turn of seat 2"));
    assert_eq!(of_moves(2, instead("bid 80", "pass")), cannot("seat 0 cannot play `pass` now"));
    assert_eq!(of_moves(2, instead("trump H", "trump none")), cannot("seat 0 cannot play `trump none` now"));
    assert_eq!(of_moves(2, instead("call", "claim 70")), cannot("seat 0 cannot play `claim 70` now"));
    let aside = |log: &mut Vec<Value>| {
        let hidden = |line: &&mut Value| line["line"] == "move" && line.get("choice").is_none();
        log.iter_mut().find(hidden).unwrap()["choice"] = json!("discard S8");
    };
    assert_eq!(of_moves(1, aside), cannot("the card that seat 0 puts aside is secret"));
    let hidden_hand = |of: &'static str| {
        move |log: &mut Vec<Value>| {
            line(log, "choice", of).as_object_mut().unwrap().remove("choice");
        }
    };
    let own = of_moves(0, hidden_hand("discard S8"));
    assert_eq!(own, cannot("the card that seat 0 put aside is missing, although this seat knows it"));
    let seen = of_moves(1, hidden_hand("trump H"));
    assert_eq!(seen, cannot("the choice of seat 0 is missing, although it is public"));
}

#[test]
fn deals_that_cannot_be() {
    let deal = |field: &'static str, value: Value| of_moves(1, move |log| log[1][field] = value);
    let cannot = |why: &str| format!("impossible: {why}");
    let seven = deal("hand", json!("SA S7 D7 D8 H6 H7 D9"));
    assert_eq!(seven, cannot("`hand` has 7 cards, expected 8"));
    let twice = deal("hand", json!("SA SA D7 D8 H6 H7 D9 DT"));
    assert_eq!(twice, cannot("`hand`: SA occurs twice in `SA SA D7 D8 H6 H7 D9 DT`"));
    let six = deal("hand", json!("SA S6 D7 D8 H6 H7 D9 DT"));
    assert!(six.contains("`S6` is not a card"), "{six}");
    assert_eq!(deal("dealer", json!(4)), cannot("`dealer` is 4, expected a seat, 0 to 3"));
    assert_eq!(deal("order", json!([1, 0, 2, 3])), "order[0] is 1, but the rules give 0");
    let options = json!({ "opening_order": "random" });
    let order = said(options, "bid 80", 1, |log| log[1]["order"] = json!([1, 1, 2, 3]));
    assert_eq!(order, cannot("`order` does not name each of the 4 seats once"));
    let again = json!({ "all_hold": "redeal" });
    let hidden_hand = said(again, "hold, hold, hold, hold", 1, without_event("redeal"));
    assert_eq!(hidden_hand, cannot("no player opened: expected an event `redeal`"));
}

#[test]
fn kitties_and_roem_that_cannot_be() {
    let cannot = |why: &str| format!("impossible: {why}");
    let kitty = of_moves(1, |log| line(log, "event", "kitty")["card"] = json!("SA"));
    assert_eq!(kitty, cannot("SA is the kitty, but seat 1 holds it"));
    let hidden_hand = of_moves(1, without_event("kitty"));
    assert_eq!(hidden_hand, cannot("the bidder takes the kitty: expected an event `kitty`"));
    let roem =
        |seat, points: u16| of_moves(seat, move |log| line(log, "event", "roem")["points"] = json!(points));
    assert_eq!(roem(2, 35), cannot("no hand has roem of 35"));
    let impossible = "seat 0 chose `SK`, and no deal of the hidden cards leads to this record";
    assert_eq!(roem(2, 320), cannot(impossible));
    assert_eq!(roem(0, 70), "points is 70, but the rules give 120");
    assert_eq!(of_moves(2, without_event("roem")), cannot("the roem of the bidder is due, but missing"));
}

#[test]
fn open_hands_that_cannot_be() {
    let cannot = |why: &str| format!("impossible: {why}");
    let open = |log: &mut Vec<Value>, seat: u8| {
        log.iter().position(|line| line["event"] == "open" && line["seat"] == seat).unwrap()
    };
    let moves = "bid praatje, pass, pass, pass, discard S8, trump D, SK, S7";
    let of = |change: &dyn Fn(&mut Vec<Value>)| said(json!({}), moves, 2, change);
    let hidden_hand = of(&|log| {
        let line = open(log, 0);
        log.remove(line);
    });
    assert_eq!(hidden_hand, cannot("the hand of seat 0 is open now, but its cards are missing"));
    let taken = of(&|log| {
        let line = open(log, 3);
        log[line]["cards"] = json!("SQ H9 HA HK HQ S9 ST SJ");
    });
    assert_eq!(taken, cannot("the hand of seat 3 is open now, but it cannot have SQ"));
    let mine = of(&|log| {
        let line = open(log, 3);
        log[line]["cards"] = json!("HT H9 HA HK HQ S9 ST SJ");
    });
    assert_eq!(mine, cannot("seat 0 chose `SK`, and no deal of the hidden cards leads to this record"));
    let seven = of(&|log| {
        let line = open(log, 3);
        log[line]["cards"] = json!("H9 HA HK HQ S9 ST SJ");
    });
    assert_eq!(seven, cannot("the hand of seat 3 is open now: that is 8 cards, not 7"));
    let elsewhere = of(&|log| line(log, "choice", "S7")["choice"] = json!("S9"));
    assert_eq!(elsewhere, cannot("seat 1 plays S9, but it is not in that open hand"));
}
