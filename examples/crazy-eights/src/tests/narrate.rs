use cardsharp_env::game::Narrate as _;
use cardsharp_env::{Play as _, Seat};
use serde_json::json;

use super::situation::{Situation, players, setup, special};
use crate::{Round, Rules};

#[test]
fn the_deal_is_told_with_every_card() {
    let table = setup(players(2), &["9c 6h", "2h 3h"], "7h", "5c Td");
    assert_eq!(
        table.0.describe_deal().unwrap(),
        json!({ "dealer": 0, "hands": ["6h 9c", "2h 3h"], "turned": "7h", "pile": "5c Td" })
    );
}

#[test]
fn cards_drawn_and_a_reshuffle_are_told_in_their_order() {
    let rules = Rules { reshuffle: true, ..special(2) };
    let before = setup(rules, &["2h 9c", "3h 4h"], "5h", "6c").after("2h");
    let after = before.after("draw");
    let events = Round::events(Some(&before.0), &after.0);
    assert_eq!(events[0], json!({ "event": "draw", "seat": 1, "cards": "6c" }));
    assert_eq!(events[1]["event"], "reshuffle");
    let pile = events[1]["pile"].as_str().unwrap();
    assert!(pile.starts_with(events[2]["cards"].as_str().unwrap()));
    assert_eq!((pile.split(' ').count(), events.len()), (47, 3));
}

#[test]
fn the_end_is_told_with_its_reason() {
    let last = |table: Situation, label| {
        let after = table.after(label);
        Round::events(Some(&table.0), &after.0).pop().unwrap()
    };
    let out = setup(players(2), &["7h", "2c"], "5h", "5c ...");
    assert_eq!(last(out, "7h"), json!({ "event": "out", "seat": 0, "hands": ["", "2c"] }));
    let stuck = setup(players(2), &["6d", "9c"], "7h", "").after("pass, pass");
    assert_eq!(last(stuck, "pass"), json!({ "event": "stuck", "seat": 0, "hands": ["6d", "9c"] }));
    let rules = Rules { max_turns: 1, ..players(2) };
    let cut_off = setup(rules, &["7h 9c", "2c"], "5h", "5c ...");
    assert_eq!(last(cut_off, "7h"), json!({ "event": "cut_off", "seat": 0, "hands": ["9c", "2c"] }));
}

#[test]
fn a_person_sees_the_table() {
    let table = setup(special(2), &["2h 9c", "3h 4h 8s"], "5h", "6c ...").after("2h");
    let picture = Round::picture(table.0.view(Seat(1)));
    for line in [
        "seat 1  (you)   3 cards  <- turn",
        "On top: 2h. Suit to follow: hearts.",
        "Owed for twos: 2 cards.",
        "Your hand: 3h 4h | 8s",
    ] {
        assert!(picture.contains(line), "{line} in\n{picture}");
    }
}
