//! Rounds as text: deals and events of traces, and pictures for people.

use cardsharp_engine::game::{Narrate, Play};
use serde_json::{Value, json};

use super::super::Round;
use super::situation::{Inspect as _, Situation, setup};

/// Plays actions and collects their events.
fn events(s: &mut Situation, actions: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for action in actions.split(", ") {
        let before = *s;
        s.play(action);
        all.extend(Round::events(Some(&before.0), &s.0));
    }
    all
}

const TAXED: [&str; 4] = ["2 2 9 9", "3 3", "K K", "A A"];

#[test]
fn a_deal_tells_hands_as_they_were_dealt() {
    let s = setup(json!({"first_round_tax": true}), &TAXED).order(&[2, 0, 3, 1]).dealt();
    let deal = s.0.describe_deal().unwrap();
    assert_eq!((&deal["order"], &deal["decree"]), (&json!([2, 0, 3, 1]), &Value::Null));
    assert_eq!((&deal["left"], &deal["joined"]), (&json!([]), &json!([])));
    let hands = deal["hands"].as_array().unwrap();
    assert!(hands[3].as_str().unwrap().starts_with("A A "), "the tribute has moved already: {hands:?}");
    assert!(hands[0].as_str().unwrap().ends_with("9 9 2 2") && !hands[0].as_str().unwrap().contains("A A A"));
    assert!(hands.iter().all(|hand| hand.as_str().unwrap().split(' ').count() == 13));
    let mut keys: Vec<&String> = deal.as_object().unwrap().keys().collect();
    keys.sort_unstable();
    assert_eq!(keys, ["decree", "hands", "joined", "left", "order", "variant"]);
}

#[test]
fn a_deal_tells_what_is_in_force_and_waits_for_the_decree() {
    let menu = json!([{}, {"jokers": "wild", "deuces_high": true}]);
    let s = setup(json!({"decree": menu}), &[]).undecided();
    assert_eq!(s.0.describe_deal(), None);
    let deal = s.after("decree 1").0.describe_deal().unwrap();
    assert_eq!(deal["decree"], json!(1));
    assert_eq!(
        deal["variant"],
        json!({
            "deck": "standard", "jokers": "wild", "joker_tax": "coupled", "deuces_high": true,
            "rank_privilege": true, "tax_schedule": "auto",
        })
    );
}

#[test]
fn tributes_and_returns_are_events() {
    let mut s = setup(json!({"first_round_tax": true}), &TAXED).order(&[2, 0, 3, 1]).dealt();
    assert_eq!(
        Round::events(None, &s.0),
        [
            json!({"event": "tribute", "from": 1, "to": 2, "cards": "A A"}),
            json!({"event": "tribute", "from": 3, "to": 0, "cards": "K"}),
        ]
    );
    assert_eq!(
        events(&mut s, "give 2, give 9, give 3"),
        [
            json!({"event": "return", "from": 2, "to": 1, "cards": "9 2"}),
            json!({"event": "return", "from": 0, "to": 3, "cards": "3"}),
        ]
    );
}

#[test]
fn where_holders_decide_tributes_follow_their_choices() {
    let options = json!({"first_round_tax": true, "jokers": "low", "joker_tax": "holder"});
    let mut s = setup(options, &["2 2", "3", "K *", "A A *"]).dealt();
    assert_eq!(Round::events(None, &s.0), Vec::<Value>::new());
    assert_eq!(events(&mut s, "pay 1 joker"), Vec::<Value>::new());
    assert_eq!(
        events(&mut s, "pay 0 jokers"),
        [
            json!({"event": "tribute", "from": 3, "to": 0, "cards": "A *"}),
            json!({"event": "tribute", "from": 2, "to": 1, "cards": "K"}),
        ]
    );
}

#[test]
fn after_a_decree_the_tribute_is_an_event_of_it() {
    let options = json!({"first_round_tax": true, "decree": [{}]});
    let mut s = setup(options, &[]).undecided();
    let found = events(&mut s, "decree 0");
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|event| event["event"] == "tribute"));
}

#[test]
fn a_last_card_is_an_event() {
    let mut s = setup(json!({}), &["5 5 2", "9 9 9", "6 6", "3 4"]).order(&[2, 0, 3, 1]).playing();
    assert_eq!(
        events(&mut s, "5x2, 9x2, pass, pass, pass"),
        [json!({"event": "one card", "seat": 2}), json!({"event": "one card", "seat": 0})]
    );
    assert_eq!(events(&mut s, "9"), Vec::<Value>::new());
}

#[test]
fn a_picture_tells_titles_seats_cards_and_the_table() {
    let hands = ["5 5 2", "9 9 9 *", "", "3 4"];
    let s =
        setup(json!({"jokers": "low"}), &hands).order(&[2, 0, 3, 1]).round_number(3, &[4, 0, 1, 2]).playing();
    let picture = Round::picture(s.after("5x2, 9+*").0.view(cardsharp_engine::Seat(1)));
    assert_eq!(
        picture
            .split('\n')
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>(),
        [
            "Round 3 of 20",
            "Tahimi seat 2 one card 1 points",
            "Vice Tahimi seat 0 2 cards 4 points <- last",
            "master serf seat 3 place 1 2 points",
            "serf seat 1 (you) 2 cards 0 points",
            "On the table: 9+*",
            "Your hand: 4 | 3",
            "",
        ]
    );
}

#[test]
fn a_picture_tells_who_came_and_went_what_was_decreed_and_taxes() {
    let options = json!({
        "decree": [{}, {"jokers": "wild"}],
        "roster_script": [{"round": 2, "leave": 1}, {"round": 2, "join": 4}, {"round": 2, "join": 5}],
    });
    let s = setup(options, &[]).round_number(2, &[]).undecided();
    let first = Round::picture(s.0.view(s.seat(0)));
    for line in [
        "Seat 1 left the table.",
        "Seat 4 joined the table.",
        "Seat 5 joined the table.",
        "You may decree for this round:",
        "  decree 0: nothing is changed",
        "  decree 1: jokers = \"wild\"",
    ] {
        assert!(first.lines().any(|l| l == line), "{line} is missing in\n{first}");
    }
    assert!(!first.contains("Your hand"), "nothing is dealt yet");
    let s = s.after("decree 1");
    let taxed = Round::picture(s.0.view(s.seat(0)));
    assert!(taxed.lines().any(|l| l == "Decreed for this round: jokers = \"wild\""), "{taxed}");
    assert!(taxed.lines().any(|l| l == format!("You received: {}", s.received(0))), "{taxed}");
    assert!(!Round::picture(s.0.view(s.seat(2))).contains("received"));
}
