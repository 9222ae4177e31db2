//! Which seat receives which lines.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Play;
use cardsharp_engine::testing::observed;
use serde_json::{Value, json};

use super::{Round, Situation, imagined, record};
use crate::tests::situation::{HANDS, cards, setup};

/// Returns the lines of a kind such as `move` or `event`.
fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["line"] == kind).collect()
}

/// Returns the only event of a kind.
#[track_caller]
fn event<'a>(lines: &'a [Value], kind: &str) -> &'a Value {
    let mut found = lines.iter().filter(|line| line["event"] == kind);
    let event = found.next().unwrap_or_else(|| panic!("no {kind} in {lines:?}"));
    assert_eq!(found.next(), None);
    event
}

/// Returns the seats whose event logs contain this text; 4 stands for a spectator.
fn told_of(text: &str, start: &Situation, moves: &str) -> Vec<u8> {
    let tells = |seat| record(start, moves, Some(seat).filter(|&seat| seat < 4));
    (0..=4).filter(|&seat| tells(seat).iter().any(|line| line.to_string().contains(text))).collect()
}

#[test]
fn a_seat_is_dealt_its_own_cards() {
    let start = setup(json!({}), HANDS, "SQ");
    for seat in 0..4 {
        let log = record(&start, "bid 80", Some(seat));
        let hand = cards(HANDS[usize::from(seat)]);
        let deal = json!({ "line": "deal", "round": 1, "dealer": 3, "order": [0, 1, 2, 3], "hand": hand });
        assert_eq!(log[1], deal);
        assert_eq!(imagined(&log).own[usize::from(seat)].hand, hand);
    }
    let watched = &record(&start, "bid 80", None)[1];
    assert_eq!(*watched, json!({ "line": "deal", "round": 1, "dealer": 3, "order": [0, 1, 2, 3] }));
}

#[test]
fn who_deals_again_tells_each_seat_its_new_hand() {
    let start = setup(json!({ "all_hold": "redeal", "opening_order": "random" }), HANDS, "SQ");
    let after = start.after("hold, hold, hold, hold");
    let order = after.0.table().auction.order;
    for seat in 0..4 {
        let log = record(&start, "hold, hold, hold, hold", Some(seat));
        let hand = after.0.own[usize::from(seat)].hand;
        let again = json!({ "line": "event", "round": 1, "event": "redeal", "dealer": 0, "order": order, "hand": hand });
        assert_eq!(event(&log, "redeal"), &again);
        assert_eq!(imagined(&log).view(Seat(seat)).to_owned(), after.0.view(Seat(seat)).to_owned());
    }
    assert_eq!(event(&record(&start, "hold, hold, hold, hold", None), "redeal").get("hand"), None);
}

#[test]
fn the_kitty_is_shown_when_it_is_taken_and_never_from_the_hand() {
    let start = setup(json!({}), HANDS, "SQ");
    assert_eq!(told_of("SQ", &start, "bid 80, pass, pass"), [0u8; 0]);
    assert_eq!(told_of("SQ", &start, "bid 80, pass, pass, pass"), [0, 1, 2, 3, 4]);
    let moves = "bid prive uit de hand, pass, pass, pass, trump C, SK, SA, C7, S9";
    assert_eq!(told_of("SQ", &start, moves), [0u8; 0]);
    let kitty = json!({ "line": "event", "round": 1, "event": "kitty", "seat": 0, "card": "SQ" });
    assert_eq!(event(&record(&start, "bid 80, pass, pass, pass", Some(2)), "kitty"), &kitty);
}

#[test]
fn that_a_card_is_put_aside_is_seen_and_which_one_is_not() {
    let start = setup(json!({}), HANDS, "SQ");
    let moves = "bid 80, pass, pass, pass, discard S8, trump H, ask SA, CA";
    assert_eq!(told_of("S8", &start, moves), [0]);
    let seen = |seat| of_kind(&record(&start, moves, seat), "move")[4].clone();
    assert_eq!(seen(Some(0)), json!({ "line": "move", "round": 1, "seat": 0, "choice": "discard S8" }));
    for seat in [Some(1), Some(2), Some(3), None] {
        assert_eq!(seen(seat), json!({ "line": "move", "round": 1, "seat": 0 }));
    }
}

#[test]
fn nobody_is_told_who_the_partner_is_until_he_plays_the_asked_card() {
    // The ace of spades is in different hands.
    let start = |a: &str, b: &str| {
        let (a, b) = (format!("{a} S7 D7 D8 H6 H7 D9 DT"), format!("{b} DJ DQ DK DA C7 C8 H8"));
        setup(json!({}), [HANDS[0], &a, &b, HANDS[3]], "SQ")
    };
    let (one, two) = (start("SA", "HT"), start("HT", "SA"));
    let asked = "bid 80, pass, pass, pass, discard SQ, trump H, ask SA";
    let moves = format!("{asked}, C9, H6, C7, HJ");
    for seat in [Some(0), Some(3), None] {
        assert_eq!(record(&one, &moves, seat), record(&two, &moves, seat));
    }
    let log = record(&one, &format!("{asked}, call, SK, SA"), Some(3));
    assert_eq!(event(&log, "partner")["seat"], 1);
}

#[test]
fn roem_is_announced_to_all() {
    let asked = "bid 80, pass, pass, pass, discard SQ, trump H, ask SA";
    let start = setup(json!({}), HANDS, "SQ");
    for seat in 0..4 {
        let log = record(&start, &format!("{asked}, call, SK, SA"), Some(seat));
        let events = of_kind(&log, "event");
        let roem: Vec<_> = events.iter().filter(|event| event["event"] == "roem").collect();
        let said = |seat, points| json!({ "line": "event", "round": 1, "event": "roem", "seat": seat, "points": points });
        assert_eq!(roem, [&&said(0, 120), &&said(1, 50)]);
        // A seat that cannot see the hands guesses some with the same roem.
        assert_eq!(imagined(&log).table.roem, [Some(120), Some(50)]);
    }
    let claimed = setup(json!({ "roem_claims": "truthful_choice" }), HANDS, "SQ");
    let log = record(&claimed, &format!("{asked}, call, SK, claim 120, SA, claim 0"), Some(2));
    assert!(log.iter().all(|line| line["event"] != "roem"));
    assert_eq!(imagined(&log).table.roem, [Some(120), Some(0)]);
}

#[test]
fn open_hands_are_told_to_all() {
    let start = setup(json!({}), HANDS, "SQ");
    let moves = "bid praatje uit de hand, pass, pass, pass, trump D, S8";
    let log = record(&start, moves, Some(2));
    let open: Vec<_> = log.iter().filter(|line| line["event"] == "open").collect();
    assert_eq!(open.len(), 4);
    let first =
        json!({ "line": "event", "round": 1, "event": "open", "seat": 0, "cards": "SK C9 CT CJ CQ CK CA" });
    assert_eq!(open[0], &first);
    let (after, guessed) = (start.after(moves), imagined(&log));
    // With four open hands there is nothing to guess.
    assert_eq!((guessed.own, guessed.kitty), (after.0.own, after.0.kitty));
}

#[test]
fn what_was_put_aside_counts_in_the_result_that_all_are_told() {
    let start = setup(json!({ "discard_points": "side" }), HANDS, "SQ");
    let mut moves = "bid 80, pass, pass, pass, discard CA, trump H, ask SA, call, SK, SA".to_owned();
    let mut deal = start.after(&moves);
    while let Some(first) = deal.legal().first() {
        moves = format!("{moves}, {first}");
        deal.play(first);
    }
    for seat in 0..4 {
        let log = record(&start, &moves, Some(seat));
        let tricks = log.iter().filter(|line| line["event"] == "trick");
        let side = tricks.filter(|line| line["seat"] == 0 || line["seat"] == 1);
        let won: u64 = side.filter_map(|line| line["points"].as_u64()).sum();
        assert_eq!(event(&log, "result")["raw"], won + 11);
        observed::<Round>(&log).unwrap();
    }
}

/// A complete deal, as the event log of seat 1.
const PRIVE: &str = r#"
{"line": "deal", "round": 1, "dealer": 3, "order": [0, 1, 2, 3], "hand": "S7 SA H6 H7 D7 D8 D9 DT"}
{"line": "move", "round": 1, "seat": 0, "choice": "bid prive"}
{"line": "turn", "round": 1, "phase": "auction"}
{"line": "move", "round": 1, "seat": 1, "choice": "pass"}
{"line": "move", "round": 1, "seat": 2, "choice": "pass"}
{"line": "move", "round": 1, "seat": 3, "choice": "pass"}
{"line": "event", "round": 1, "event": "contract", "seat": 0, "bid": "prive"}
{"line": "event", "round": 1, "event": "kitty", "seat": 0, "card": "SQ"}
{"line": "move", "round": 1, "seat": 0}
{"line": "move", "round": 1, "seat": 0, "choice": "trump C"}
{"line": "move", "round": 1, "seat": 0, "choice": "SK"}
{"line": "turn", "round": 1, "phase": "play"}
{"line": "move", "round": 1, "seat": 1, "choice": "SA"}
{"line": "move", "round": 1, "seat": 2, "choice": "C7"}
{"line": "move", "round": 1, "seat": 3, "choice": "S9"}
{"line": "event", "round": 1, "event": "trick", "seat": 2, "points": 14}
{"line": "event", "round": 1, "event": "result", "bid": "prive", "bidder": 0, "partner": null, "made": false}
{"line": "payoff", "round": 1, "place": [4, 1, 1, 1], "points": [-120, 0, 0, 0], "reward": [-1.2, 0.4, 0.4, 0.4]}
"#;

#[test]
fn the_record_of_a_short_deal() {
    let start = setup(json!({}), HANDS, "SQ");
    let log = record(&start, "bid prive, pass, pass, pass, discard S8, trump C, SK, SA, C7, S9", Some(1));
    let lines: Vec<Value> = PRIVE.trim().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(log[1..], lines);
    observed::<Round>(&log).unwrap();
}
