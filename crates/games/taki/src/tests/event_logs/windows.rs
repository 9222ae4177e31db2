//! A +3 as seen by a seat that is never asked, is asked later, or was asked before.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Actions, EventLog, ImaginedRound, Play, Turn, Update, parse_label};
use serde_json::{Value, json};

use super::super::situation::{Situation, setup};
use crate::Round;
use crate::state::Answer;

/// Returns a rebuilt game whose guessed cards are the real ones.
fn imagined(s: &Situation, seat: u8) -> ImaginedRound<Round> {
    ImaginedRound { round: s.0, seat: Seat(seat), lines: Vec::new() }
}

fn play<'a>(seat: u8, name: &str, events: &'a [Value]) -> Update<'a> {
    Update { choice: Some((Seat(seat), parse_label::<Round>(None, name))), events, ..Update::default() }
}

fn draw(seat: u8) -> Value {
    json!({"event": "draw", "seat": seat, "count": 3})
}

#[test]
fn while_nothing_is_told_somebody_else_thinks() {
    // In the guessed cards no player had an answer.
    let s = setup(json!({}), &["+3 R1", "B1 B3", "G1 G3", "Y1 Y3"], "R5");
    let mut imagined = imagined(&s, 2);
    Round::follow(&mut imagined, &play(0, "+3", &[])).unwrap();
    assert_eq!(imagined.round.phase(), "window");
    assert!(imagined.round.turn() != Turn::Decide(Seat(2)));
    assert_eq!(imagined.round.own[2], s.0.own[2]);
    // Then no player answers.
    let events = [draw(1), json!({"event": "draw", "seat": 2, "cards": "R4 B4 king"}), draw(3)];
    Round::follow(&mut imagined, &Update { events: &events, ..Update::default() }).unwrap();
    assert_eq!(imagined.lines, events);
    assert_eq!(imagined.round.turn(), Turn::Decide(Seat(1)));
    assert_eq!(imagined.round.own[2].hand, super::super::situation::hand("R4 B4 G1 G3 king"));
}

#[test]
fn an_answer_comes_from_who_was_not_thought_to_hold_it() {
    let s = setup(json!({}), &["+3 R1", "B1 breaker", "G1 G3", "Y1 Y3"], "R5");
    let mut imagined = imagined(&s, 2);
    Round::follow(&mut imagined, &play(0, "+3", &[])).unwrap();
    assert_eq!(imagined.round.turn(), Turn::Decide(Seat(1)));
    let events = [draw(0)];
    Round::follow(&mut imagined, &play(3, "breaker", &events)).unwrap();
    assert_eq!(imagined.lines, events);
    assert_eq!(imagined.round.table.sizes[..4], [4, 2, 2, 1]);
}

#[test]
fn the_own_turn_may_come_before_or_after_others_are_asked() {
    let s = setup(json!({}), &["+3 R1", "B1 breaker", "G1 breaker", "Y1 Y3"], "R5");
    let mut imagined = imagined(&s, 2);
    // Others are asked first, and decline.
    Round::follow(&mut imagined, &play(0, "+3", &[])).unwrap();
    assert_eq!(imagined.round.own[2].answer, Answer::Nothing);
    Round::follow(&mut imagined, &Update { turn: true, ..Update::default() }).unwrap();
    assert_eq!(imagined.round.turn(), Turn::Decide(Seat(2)));
    // After the seat's own answer, seat 3 is asked, although its guessed hand held no answer.
    Round::follow(&mut imagined, &play(2, "decline", &[])).unwrap();
    assert_eq!(
        (imagined.round.turn(), imagined.round.own[2].answer),
        (Turn::Decide(Seat(3)), Answer::Declined)
    );
    let problem = Round::follow(&mut imagined.clone(), &play(1, "breaker", &[draw(0)])).unwrap_err();
    assert_eq!(problem, "seat 1 was asked before seat 2, and declined");
    let events = [draw(1), json!({"event": "draw", "seat": 2, "cards": "R4 B4 king"}), draw(3)];
    Round::follow(&mut imagined, &Update { events: &events, ..Update::default() }).unwrap();
    assert_eq!(imagined.lines, events);
    assert_eq!(imagined.round.own[2].answer, Answer::Nothing);
}

#[test]
fn who_can_answer_is_asked_before_the_others_draw() {
    let s = setup(json!({}), &["+3 R1", "B1 B3", "G1 breaker", "Y1 Y3"], "R5");
    let events = [draw(1), json!({"event": "draw", "seat": 2, "cards": "R4 B4 king"}), draw(3)];
    let problem = Round::follow(&mut imagined(&s, 2), &play(0, "+3", &events)).unwrap_err();
    assert_eq!(problem, "seat 2 can answer the +3, and has not been asked");
    // Seat 3 cannot answer before seat 2 has.
    let mut imagined = imagined(&s, 2);
    Round::follow(&mut imagined, &play(0, "+3", &[])).unwrap();
    let problem = Round::follow(&mut imagined, &play(3, "breaker", &[draw(0)])).unwrap_err();
    assert_eq!(problem, "seat 2 is asked before seat 3, and has not answered");
}

#[test]
fn who_holds_both_breakers_knows_that_nobody_else_answers() {
    let rules = json!({"king_vs_plus3": "off"});
    let s = setup(rules, &["+3 R1 breaker breaker", "B1 B3", "G1 G3"], "R5");
    let problem = Round::follow(&mut imagined(&s, 0), &play(0, "+3", &[])).unwrap_err();
    assert_eq!(problem, "no player can answer the +3, so all others draw: their draws are missing");
    assert!(Round::follow(&mut imagined(&s, 0), &play(0, "+3", &[draw(1), draw(2)])).is_ok());
}

#[test]
fn a_penalty_before_a_plus_three_that_answers_settles_nothing() {
    let options = json!({"plus3_vs_plus3": "next_player", "last_card": "declare", "last_card_penalty": 1});
    let s = setup(options, &["+3 R1", "+3 B3 B4", "G1 G3"], "R5");
    let mut imagined = imagined(&s, 2);
    Round::follow(&mut imagined, &play(0, "+3", &[])).unwrap();
    Round::follow(&mut imagined, &play(1, "+3", &[])).unwrap();
    assert_eq!(imagined.round.phase(), "last card");
    let penalty = [json!({"event": "draw", "seat": 0, "count": 1})];
    Round::follow(&mut imagined, &play(0, "silent", &penalty)).unwrap();
    assert_eq!(imagined.round.phase(), "window", "seat 0 thinks about an answer");
    let events = [json!({"event": "draw", "seat": 2, "cards": "R4 B6 king"}), draw(0)];
    Round::follow(&mut imagined, &Update { events: &events, ..Update::default() }).unwrap();
    assert_eq!(imagined.round.turn(), Turn::Decide(Seat(2)));
    assert_eq!(imagined.round.table.sizes[..3], [5, 2, 5]);
}
