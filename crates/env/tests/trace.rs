//! Replays of traces.

use cardsharp_env::rules::RosterChange::{Join, Leave};
use cardsharp_env::trace::{TraceError, replay};
use cardsharp_env::{AnyTable, Audience, Seat, game, seed};
use serde_json::{Value, json};

/// Returns a table after its first round.
fn played(name: &str, options: Value) -> Box<dyn AnyTable> {
    let rules = game(name).expect("one of the games").rules(&options).expect("rules");
    let mut table = rules.table(7);
    play(table.as_mut());
    table
}

/// Plays the round in play to its end.
fn play(table: &mut dyn AnyTable) {
    while let Some(view) = table.asked() {
        let action = view.scripted();
        table.try_play(action).expect("a legal move");
    }
}

/// Returns the trace of a session so far.
fn lines(table: &dyn AnyTable) -> Vec<Value> {
    let names = vec!["scripted".to_owned(); table.seats()];
    let of_steps = (0..=table.steps()).flat_map(|step| table.lines(step, Audience::Referee));
    std::iter::once(table.header(Audience::Referee, names)).chain(of_steps).map(|line| line.json()).collect()
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Asserts that the replayed trace of a table is the same session, and that every list has an entry for each seat.
fn is_replayed(table: &dyn AnyTable) {
    let trace = lines(table);
    let again = replay(&text(&trace)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((again.round(), again.over(), again.turn()), (table.round(), table.over(), table.turn()));
    assert_eq!(again.standing(), table.standing());
    assert_eq!(lines(again.as_ref()), trace);
    for paid in trace.iter().filter(|line| line["line"] == "payoff") {
        for list in ["place", "points", "reward"] {
            assert_eq!(paid[list].as_array().map(Vec::len), Some(table.seats()), "{list}: {paid}");
        }
    }
}

#[test]
fn a_session_that_players_joined_is_played_again() {
    let mut table = played("tahimi", json!({ "players": 4, "rounds": 4, "join_policy": "random" }));
    is_replayed(table.as_ref());
    for changes in [&[Join(Seat(4))][..], &[Join(Seat(5)), Leave(Seat(0))], &[Join(Seat(0))]] {
        for &change in changes {
            table.change_roster(change).expect("a possible change");
        }
        assert!(table.deal_next());
        is_replayed(table.as_ref());
        play(table.as_mut());
        is_replayed(table.as_ref());
    }
    assert!(table.over() && table.seats() == 6);
}

#[test]
fn who_would_have_joined_after_the_session_has_no_seat_in_its_trace() {
    let script = json!([{ "round": 5, "join": 3 }]);
    let mut table = played("tahimi", json!({ "players": 3, "rounds": 9, "roster_script": script }));
    assert_eq!(table.seats(), 4);
    table.change_roster(Leave(Seat(1))).expect("a possible change");
    assert!(table.over() && table.seats() == 3);
    is_replayed(table.as_ref());
}

/// Returns the error for a trace of four players in whose header one field is replaced, or removed with null.
fn refused(field: &str, value: Value) -> String {
    let mut lines = lines(played("dalmuti", json!({ "players": 4, "hands": 1 })).as_ref());
    let fields = lines[0].as_object_mut().expect("a header");
    match value {
        Value::Null => fields.remove(field),
        value => fields.insert(field.to_owned(), value),
    };
    match replay(&text(&lines)).err() {
        Some(TraceError::Header(problem)) => problem,
        other => panic!("{field}: {other:?}"),
    }
}

#[test]
fn every_seat_has_a_bot_whose_name_can_be_shown() {
    let mut good = lines(played("dalmuti", json!({ "players": 4, "hands": 1 })).as_ref());
    good[0]["bots"] = json!(["scripted", "search:200+checkpoints/dalmuti/bot", "Übung 1", "x".repeat(4096)]);
    assert!(replay(&text(&good)).is_ok());
    assert_eq!(refused("bots", json!([])), "`bots` has 0 names, expected 4, one for each seat");
    assert_eq!(refused("bots", json!(vec!["a"; 5])), "`bots` has 5 names, expected 4, one for each seat");
    for (name, wrong) in [
        ("", "is empty, expected a name or path of 1 to 4096 characters that can be shown"),
        ("a\x1b]0;b\x07", "is `a\\u{1b}]0;b\\u{7}`, which has characters that cannot be shown, expected"),
        ("a\u{202e}b", "is `a\\u{202e}b`, which has characters that cannot be shown, expected"),
        (&"x".repeat(4097), "has 4097 characters, expected"),
    ] {
        let found = refused("bots", json!(["a", name, "c", "d"]));
        assert!(found.starts_with(&format!("`bots[1]` {wrong}")), "{found}");
    }
}

#[test]
fn another_format_is_named() {
    assert_eq!(refused("format", json!(2)), "`format` is 2; this program reads format 1");
    assert_eq!(refused("format", json!("1")), "`format` is \"1\"; this program reads format 1");
    assert_eq!(refused("format", Value::Null), "there is no field `format`");
}

/// Returns a value as JavaScript reads and writes it: every number is a 64-bit float, and 1.0 is written as 1.
fn through_floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let float = number.as_f64().expect("a finite number");
            if float.fract() == 0.0 { json!(float as i64) } else { json!(float) }
        }
        Value::Array(list) => list.iter().map(through_floats).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), through_floats(value))).collect()
        }
        other => other.clone(),
    }
}

#[test]
fn a_trace_with_the_largest_seed_is_replayed_after_every_number_was_a_float() {
    for name in ["dalmuti", "tahimi", "taki", "tachtigen"] {
        let mut table = game(name).expect("one of the games").default_rules().table(seed::MAX);
        play(table.as_mut());
        let rewritten: Vec<Value> = lines(table.as_ref()).iter().map(through_floats).collect();
        let again = replay(&text(&rewritten)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again.seed(), 9_007_199_254_740_991);
        assert_eq!(lines(again.as_ref()), lines(table.as_ref()));
    }
}

#[test]
fn a_seed_that_floats_would_round_is_rejected() {
    let mut trace = lines(played("leduc", json!({})).as_ref());
    for wrong in [json!(seed::MAX + 1), json!(u64::MAX), json!(-1), json!(1.5), json!("7")] {
        trace[0]["seed"] = wrong.clone();
        let refused = replay(&text(&trace)).map(|_| ()).expect_err("no seed").to_string();
        assert!(refused.contains("from 0 to 9007199254740991 (2^53 - 1)"), "{wrong}: {refused}");
    }
}

#[test]
fn a_byte_order_mark_and_blank_lines_are_skipped() {
    let table = played("leduc", json!({}));
    let trace = text(&lines(table.as_ref()));
    let edited = format!("\u{feff}{}\r\n  \r\n", trace.replace('\n', "\r\n\r\n"));
    let again = replay(&edited).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(lines(again.as_ref()), lines(table.as_ref()));
    // Messages count the lines of the file, including blank ones.
    let wrong = format!("\n\n{}", trace.replacen("\"choice\"", "\"chosen\"", 1));
    let line = 3 + trace.lines().position(|line| line.contains("choice")).expect("a choice");
    let refused = replay(&wrong).map(|_| ()).expect_err("no choice").to_string();
    assert!(refused.starts_with(&format!("line {line}: ")), "{refused}");
}
