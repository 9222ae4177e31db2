//! The lines of event logs, as the rules define them.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{EventLog, Narrate};
use cardsharp_engine::testing::observed;
use serde_json::{from_value, json};

use super::super::situation::{Inspect as _, setup};
use super::{event_lines, lines, record};
use crate::{Event, Round};

#[test]
fn a_deal_tells_the_own_hand_and_of_the_others_the_number() {
    let s = setup(json!({}), &["R1 R3", "B1 king", "G8"], "R5");
    let deal = s.0.describe_deal().unwrap();
    let event_lines = |to: Option<u8>| s.0.conceal_deal(deal.clone(), to.map(Seat));
    let public = json!({"sizes": [2, 2, 1], "turned": "R5", "begins": 0, "pile": 110});
    assert_eq!(event_lines(None), public);
    let mut own = public;
    own["hand"] = json!("B1 king");
    assert_eq!(event_lines(Some(1)), own);
}

#[test]
fn a_draw_tells_its_cards_to_who_drew_and_the_others_their_number() {
    let s = setup(json!({}), &["R+2 R3", "B1 B3", "G8 G9"], "R5").next_cards("Y8 king");
    let own = json!({"event": "draw", "seat": 1, "cards": "Y8 king"});
    let number = json!({"event": "draw", "seat": 1, "count": 2});
    assert_eq!(event_lines(&s, "R+2, draw", Some(1)), [json!("0: R+2"), json!("1: draw"), own]);
    for other in [Some(0), Some(2), None] {
        assert_eq!(event_lines(&s, "R+2, draw", other), [json!("0: R+2"), json!("1: draw"), number.clone()]);
    }
}

#[test]
fn of_a_new_draw_pile_everybody_is_told_the_number() {
    let s = setup(json!({}), &["R+2 R3 R4", "B1 B3", "G8 G9"], "R5").only_cards("Y8");
    let draw = json!({"event": "draw", "seat": 1, "count": 1});
    // Everything else was laid, except two hands of two cards, one of three, the +2 on top, and the card
    // drawn.
    let recycle = json!({"event": "recycle", "pile": 108});
    let expected = [json!("0: R+2"), json!("1: draw"), draw.clone(), recycle, draw];
    assert_eq!(event_lines(&s, "R+2, draw", Some(2)), expected);
}

#[test]
fn a_declined_answer_is_told_to_who_declined_and_leaves_no_line_for_others() {
    let with = setup(json!({}), &["+3 R1 R3", "R4 B1", "breaker B3"], "R5");
    let without = setup(json!({}), &["+3 R1 R3", "R4 B1", "king B3"], "R5");
    let draw = |seat: u8| json!({"event": "draw", "seat": seat, "count": 3});
    for other in [Some(0), None] {
        assert_eq!(event_lines(&with, "+3", other), [json!("0: +3")]);
        let all = [json!("0: +3"), draw(1), draw(2)];
        assert_eq!(event_lines(&with, "+3, decline", other), all);
        assert_eq!(event_lines(&without, "+3", other), all);
    }
    let own = event_lines(&with, "+3, decline", Some(2));
    assert_eq!(own[..3], [json!("0: +3"), json!("2: decline"), draw(1)]);
    assert_eq!(own[3]["cards"].as_str().unwrap().split(' ').count(), 3);
}

#[test]
fn a_stage_is_told_before_anybody_could_be_asked() {
    // The +3 as the last card finishes the stage at once. The order of lines must not show whether a player
    // declines to answer it.
    let rules = json!({"mode": "tournament", "plus3_last": "wins_at_once"});
    let with = setup(rules.clone(), &["+3", "R4 B1", "breaker B3"], "R5").stage(0, 2);
    let without = setup(rules, &["+3", "R4 B1", "G4 B3"], "R5").stage(0, 2);
    let draw = |seat: u8, count: u8| json!({"event": "draw", "seat": seat, "count": count});
    let stage = json!({"event": "stage", "seat": 0, "stage": 1});
    let all = [json!("0: +3"), draw(0, 1), stage, draw(1, 3), draw(2, 3)];
    assert_eq!(event_lines(&with, "+3, decline", None), all);
    assert_eq!(event_lines(&without, "+3", None), all);
}

#[test]
fn who_went_out_first_rises_first() {
    let rules = json!({"mode": "tournament"});
    let s = setup(rules, &["R1 king", "R3 B8", "+3"], "R5").stage(0, 2).stage(2, 3).after("R1, R3");
    let draw = |seat: u8, count: u8| json!({"event": "draw", "seat": seat, "count": count});
    let stage = |seat: u8, stage: u8| json!({"event": "stage", "seat": seat, "stage": stage});
    let expected = [json!("2: +3"), json!("0: king"), draw(2, 2), stage(2, 2), draw(0, 1), stage(0, 1)];
    assert_eq!(event_lines(&s, "+3, king", None), expected);
}

#[test]
fn a_plus_three_that_nobody_can_pay_is_told_to_be_settled() {
    let rules = json!({"mode": "tournament", "plus3_last": "wins_at_once"});
    let s = setup(rules, &["+3", "R4 B8", "G1"], "R5").stage(0, 2).all_cards_to(1);
    let lines = event_lines(&s, "+3, decline", Some(2));
    let expected = [
        json!("0: +3"),
        json!({"event": "recycle", "pile": 1}),
        json!({"event": "draw", "seat": 0, "count": 1}),
        json!({"event": "stage", "seat": 0, "stage": 1}),
        json!({"event": "settled"}),
    ];
    assert_eq!(lines, expected);
    // Before the player declines, only the end is missing.
    assert_eq!(event_lines(&s, "+3", Some(2)), expected[..4]);
    // It is too rare for the random sessions whose lines are read as types.
    assert_eq!(from_value::<Event>(expected[4].clone()).unwrap(), Event::Settled {});
}

/// A tournament of two stages, as the event log of seat 0. Seat 1 held no answer to the +3, or declined.
const RECORD: &str = r#"
    {"line":"deal","round":1,"hand":"R7 B6","sizes":[2,2,2],"turned":"Ystop","begins":1,"pile":109}
    {"line":"move","round":1,"seat":1,"choice":"breaker"}
    {"line":"event","round":1,"event":"draw","seat":1,"count":3}
    {"line":"move","round":1,"seat":2,"choice":"Y5"}
    {"line":"turn","round":1,"phase":"turn"}
    {"line":"move","round":1,"seat":0,"choice":"draw"}
    {"line":"event","round":1,"event":"draw","seat":0,"cards":"G7"}
    {"line":"move","round":1,"seat":1,"choice":"B5"}
    {"line":"move","round":1,"seat":2,"choice":"B6"}
    {"line":"event","round":1,"event":"draw","seat":2,"count":1}
    {"line":"event","round":1,"event":"stage","seat":2,"stage":1}
    {"line":"turn","round":1,"phase":"turn"}
    {"line":"move","round":1,"seat":0,"choice":"B6"}
    {"line":"move","round":1,"seat":1,"choice":"draw"}
    {"line":"event","round":1,"event":"draw","seat":1,"count":1}
    {"line":"move","round":1,"seat":2,"choice":"+3"}
    {"line":"event","round":1,"event":"draw","seat":0,"cards":"G5 Rplus color"}
    {"line":"event","round":1,"event":"draw","seat":1,"count":3}
    {"line":"event","round":1,"event":"won","seat":2}
    {"line":"payoff","round":1,"place":[2,2,1],"points":[0,0,1],"reward":[-0.5,-0.5,1.0]}
    {"line":"end","seed":50}
"#;

#[test]
fn the_record_of_a_short_tournament() {
    let options = json!({"players": 3, "mode": "tournament", "stages": 2});
    let choices = "breaker, Y5, draw, B5, B6, B6, draw, +3";
    let event_lines = record(options, 50, choices, 0);
    assert_eq!(event_lines[0]["protocol"], 1);
    assert_eq!(event_lines[0]["seed"], json!(null), "nobody knows the seed before the end");
    assert_eq!(event_lines[1..], lines(RECORD));
    // The view at the seat's own second decision.
    let view = observed::<Round>(&event_lines[..13]).unwrap().view().unwrap().json();
    assert_eq!(view["own"]["hand"], "R7 B6 G7");
    assert_eq!(view["table"]["sizes"], json!([3, 3, 1]));
}
