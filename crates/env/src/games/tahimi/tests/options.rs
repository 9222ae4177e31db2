//! Rules as they are written and refused.

use serde_json::{Value, json};

use crate::games::tahimi::rules::Rules;
use crate::rules::{Rules as _, read};

fn rules(given: &Value) -> Rules {
    read(given).unwrap_or_else(|error| panic!("{given}: {error}"))
}

fn refused(given: &Value) -> String {
    read::<Rules>(given).expect_err("these rules are wrong").to_string()
}

#[test]
fn the_defaults_are_written_and_read_back() {
    let all = json!(Rules::default());
    assert_eq!(all["decree"], "off");
    assert_eq!(all["roster_script"], json!([]));
    assert_eq!(rules(&all), Rules::default());
    assert_eq!(rules(&Value::Null), Rules::default());
}

#[test]
fn a_menu_and_a_roster_read_back() {
    let given = json!({
        "decree": [{}, { "jokers": "wild", "deuces_high": true }],
        "roster_script": [{ "round": 3, "join": 4 }, { "round": 5, "leave": 1 }],
    });
    let read = rules(&given);
    let back = json!(read);
    assert_eq!(back["decree"], given["decree"]);
    assert_eq!(back["roster_script"], given["roster_script"]);
    assert_eq!((read.players(), read.seats(), read.rounds()), (4, 5, 20));
}

#[test]
fn wrong_options_are_named() {
    let cases = [
        (json!({ "players": 2 }), "players"),
        (json!({ "players": 9 }), "3 to 8"),
        (json!({ "rounds": 0 }), "rounds"),
        (json!({ "decree": [] }), "empty list"),
        (json!({ "decree": "on" }), "decree"),
        (json!({ "decree": [{ "trim": "none" }] }), "decree"),
        (json!({ "deck": "big" }), "extra_suits"),
        (json!({ "roster_script": [{ "round": 1, "join": 4 }] }), "from round 2"),
        (json!({ "roster_script": [{ "round": 2, "join": 3 }] }), "at the table already"),
        (json!({ "roster_script": [{ "round": 2, "join": 5 }] }), "seat 4"),
        (json!({ "roster_script": [{ "round": 2, "leave": 4 }] }), "must be at the table"),
        (
            json!({ "roster_script": [{ "round": 2, "leave": 1 }, { "round": 3, "leave": 1 }] }),
            "must be at the table",
        ),
        (json!({ "roster_script": [{ "round": 2, "leave": 1, "join": 4 }] }), "roster_script"),
        (json!({ "players": 8, "roster_script": [{ "round": 2, "join": 8 }] }), "at most 8 players"),
        (json!({ "taxes": "none" }), "taxes"),
    ];
    for (given, part) in cases {
        let error = refused(&given);
        assert!(error.contains(part), "{given}: {error}");
    }
}

#[test]
fn leaves_come_before_joins_and_the_session_ends_below_three() {
    let full =
        json!({ "players": 8, "roster_script": [{ "round": 2, "join": 8 }, { "round": 2, "leave": 0 }] });
    assert_eq!(rules(&full).seats(), 9);
    let short = json!({ "players": 3, "roster_script": [{ "round": 4, "leave": 0 }] });
    assert_eq!(rules(&short).rounds(), 3);
    // The minimum is looked at once all changes of a round are made.
    let swap =
        json!({ "players": 3, "roster_script": [{ "round": 4, "leave": 0 }, { "round": 4, "join": 3 }] });
    assert_eq!((rules(&swap).rounds(), rules(&swap).seats()), (20, 4));
    // Whoever would join after the end has no seat.
    let late =
        json!({ "players": 3, "roster_script": [{ "round": 4, "leave": 0 }, { "round": 9, "join": 3 }] });
    assert_eq!((rules(&late).rounds(), rules(&late).seats()), (3, 3));
}
