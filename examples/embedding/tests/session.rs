//! Whole sessions through the program, as a person types them or another program sends them.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use cardsharp_env::{ActionId, AnyTable, GAMES, game};
use serde_json::{Value, json};

/// Runs the program with these settings and this input, with `--auto` or without.
fn program(settings: &str, input: &[u8], auto: bool) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_embedding"));
    command.args(auto.then_some("--auto")).args(Some(settings).filter(|settings| !settings.is_empty()));
    // Paths in the settings that come with the program are relative to the root of the project.
    command.current_dir("../..").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Writing fails if the session ends before it has read all input.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Returns the output of a session that must succeed.
#[track_caller]
fn told(settings: &Value, input: &[u8], auto: bool) -> String {
    let output = program(&settings.to_string(), input, auto);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the output of a session that must succeed, and the file that it writes.
#[track_caller]
fn recorded(mut settings: Value, input: &[u8], auto: bool) -> (String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.json");
    settings["record"] = json!(path);
    let told = told(&settings, input, auto);
    (told, serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

fn dalmuti(seed: u64) -> Value {
    json!({ "game": "dalmuti", "rules": { "players": 4, "hands": 2 }, "bots": ["scripted"], "adviser": "scripted", "seed": seed })
}

#[test]
fn a_session_is_played_to_the_end_and_its_record_plays_it_again() {
    let mut settings = dalmuti(5);
    settings["bots"] = json!(["checkpoints/dalmuti/bot@4", "search:8+checkpoints/dalmuti/bot"]);
    let (told, record) = recorded(settings, "#1\n".repeat(200).as_bytes(), false);
    assert!(
        told.contains("\nRound 1 is over.\n") && told.ends_with("session is over; its seed was 5.\n"),
        "{told}"
    );
    assert!(!told.contains("The input has ended"), "{told}");
    let rules = game(record["game"].as_str().unwrap()).unwrap().rules(&record["rules"]).unwrap();
    let mut table: Box<dyn AnyTable> = rules.table(record["seed"].as_u64().unwrap());
    let actions: Vec<ActionId> = serde_json::from_value(record["actions"].clone()).unwrap();
    for action in actions {
        table.deal_next();
        table.try_play(action).unwrap();
    }
    assert!(table.over());
    let (payoff, last) = (table.payoff().unwrap(), told.split("Round 2 is over.").nth(1).unwrap());
    for seat in 0..4 {
        let who = if seat == 0 { "you".to_owned() } else { format!("seat {seat}") };
        let line = format!("\n  {who}: place {}, {} points\n", payoff.place[seat], payoff.points[seat]);
        assert!(last.contains(&line), "{line}{last}");
    }
}

#[test]
fn what_is_no_move_is_told_and_asked_again() {
    // An unknown move, an illegal move, numbers outside the list, an escape sequence, invalid UTF-8, and an empty line.
    let (told, record) = recorded(dalmuti(5), b"foo\n1x9\n#0\n#99\n\x1b[2J\n\xff\n\n#1\n", false);
    for refused in ["foo", "1x9", "#0", "#99", r"\u{1b}[2J", "\u{fffd}", ""] {
        assert!(told.contains(&format!("\"{refused}\" cannot be done now.")), "{refused}: {told}");
    }
    assert!(!told.contains('\x1b') && told.contains("the scripted player goes on for you"), "{told}");
    assert_eq!(record, recorded(dalmuti(5), b"#1\n", false).1);
}

#[test]
fn the_end_of_the_input_and_auto_are_the_scripted_player() {
    let (told, record) = recorded(dalmuti(5), b"", false);
    assert!(told.ends_with("The session is over; its seed was 5.\n"), "{told}");
    assert_eq!(record, recorded(dalmuti(5), b"", true).1);
    // `quit` ends the session, and the file has the moves so far.
    let (told, left) = recorded(dalmuti(5), b"#1\nquit\n", false);
    assert!(told.ends_with("You left the table.\n"), "{told}");
    assert!(left["actions"].as_array().unwrap().len() < record["actions"].as_array().unwrap().len());
}

#[test]
fn moves_are_taken_back_and_hints_change_nothing() {
    let back = recorded(dalmuti(5), b"undo\nhint\n#2\n#1\nhint\nundo\nundo\n", false);
    assert!(back.0.contains("\"undo\" cannot be done now."), "{}", back.0);
    assert!(back.0.contains("  100 % "), "the scripted player is sure of its move: {}", back.0);
    assert_eq!(back.1, recorded(dalmuti(5), b"", false).1);
    // Undo also goes back past the deal of the second hand.
    let mut four = dalmuti(5);
    four["rules"]["hands"] = json!(4);
    let typed = "#1\n".repeat(12) + &"undo\n".repeat(12);
    let back = recorded(four.clone(), typed.as_bytes(), false);
    assert_eq!(back.0.matches("Round 1 is over.").count(), 2, "{}", back.0);
    assert_eq!(back.1, recorded(four, b"", false).1);
}

#[test]
fn what_stays_between_others_and_the_dealer_is_not_told() {
    let mut own = 0;
    for seed in 0..12 {
        let told = told(&dalmuti(seed), b"", true);
        let given = |line: &&str| line.contains(": give ");
        assert!(told.lines().filter(given).all(|line| line.starts_with("  you: ")), "{told}");
        own += told.lines().filter(given).count();
    }
    assert!(own > 0, "nobody paid a tax");
}

#[test]
fn every_game_is_played_with_its_shipped_bot() {
    for game in GAMES.iter().filter(|game| !game.is_reference()) {
        let (name, rounds) = (game.name(), json!({ (game.rounds_option()): 1 }));
        let bots = [format!("checkpoints/{name}/bot@3"), "cautious".to_owned()];
        let settings =
            json!({ "game": name, "rules": rounds, "bots": bots, "adviser": bots[0], "seat": 1, "seed": 2 });
        let told = told(&settings, b"hint\n", false);
        assert!(told.contains("Your move") && told.contains(" % "), "{told}");
        assert!(told.contains("  you: place "), "{told}");
    }
    let output = program("", b"", true);
    assert!(output.status.success(), "the settings that come with it: {output:?}");
}

#[test]
fn bad_settings_are_refused_before_anybody_plays() {
    let with = |key: &str, value: Value| {
        let mut settings = dalmuti(5);
        settings[key] = value;
        settings.to_string()
    };
    let refused = [
        ("{".to_owned(), "EOF while parsing"),
        ("--aut".to_owned(), "\"--aut\": expected `--auto`"),
        (with("game", json!("bridge")), "there is no game \"bridge\""),
        (with("bot", json!([])), "unknown field `bot`"),
        (with("rules", json!({ "player": 3 })), "did you mean `players`?"),
        (with("seat", json!(4)), "`seat` is 4: expected 0 to 3"),
        (with("bots", json!([])), "`bots` is empty"),
        (with("bots", json!(["scriptd"])), "did you mean `scripted`?"),
        (with("adviser", json!("checkpoints/taki/bot")), "plays `taki`"),
    ];
    for (settings, reason) in refused {
        let output = program(&settings, b"", true);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && message.contains(reason), "{settings}: {message}");
        assert!(output.stdout.is_empty(), "{settings}");
    }
}

#[test]
fn a_record_that_cannot_be_written_is_a_failure() {
    let mut settings = dalmuti(5);
    settings["record"] = json!("/nowhere/record.json");
    let output = program(&settings.to_string(), b"", true);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/nowhere/record.json: "));
}
