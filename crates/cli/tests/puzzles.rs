//! The puzzle of the day, and sets of puzzles that people make.

use std::fs;

use serde_json::{Value, json};

use crate::folder::{cardsharp, success};

/// Returns the exit code, the output and the messages of a command. `typed` is what a person types.
fn run(words: &[&str], typed: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("typed");
    fs::write(&input, typed).expect("a file");
    let output = cardsharp(folder.path(), words, Some(&input));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn json_of(words: &[&str]) -> Value {
    let (code, out, message) = run(&[words, &["--json"]].concat(), "");
    assert_eq!(code, Some(0), "{words:?}: {message}");
    serde_json::from_str(&out).expect("JSON")
}

#[test]
fn every_day_has_another_puzzle_and_json_has_the_solution_on_request_only() {
    for game in ["dalmuti", "tahimi", "taki", "tachtigen"] {
        let first = json_of(&["puzzle", game, "--day", "1970-01-01"]);
        assert_eq!((&first["game"], &first["number"]), (&json!(game), &json!(1)));
        assert_eq!(json_of(&["puzzle", game, "--day", "1970-01-02"])["number"], 2);
        assert!(first["solution"].is_null() && first["answer"].is_null());
        assert_eq!(first["view"]["game"], game);
        let solved = json_of(&["puzzle", game, "--number", "1", "--solution"]);
        assert_eq!(solved["choices"], first["choices"]);
        let best = solved["solution"]["best"][0].as_str().expect("a move").to_owned();
        let tempting = solved["solution"]["tempting"].as_str().expect("a move").to_owned();
        let answer =
            |label: &str| json_of(&["puzzle", game, "--number", "1", "--answer", label])["answer"].clone();
        assert_eq!(answer(&best), json!({ "move": best, "right": true }));
        assert_eq!(answer(&tempting), json!({ "move": tempting, "right": false }));
    }
}

#[test]
fn a_person_types_a_move_and_reads_what_every_move_is_worth() {
    let solved = json_of(&["puzzle", "dalmuti", "--number", "1", "--solution"]);
    let best = solved["solution"]["best"][0].as_str().expect("a move").to_owned();
    let tempting = solved["solution"]["tempting"].as_str().expect("a move").to_owned();
    let words = ["puzzle", "dalmuti", "--number", "1"];
    let (code, out, _) = run(&words, &format!("nonsense\n?\n{best}\n"));
    assert_eq!(code, Some(0));
    for part in
        ["puzzle 1 of ", "Your hand: ", "`nonsense` is neither a move nor a command", "Right: ", "cost in "]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (_, out, _) = run(&words, &format!("{tempting}\n"));
    assert!(out.contains(&format!("Not the best: {tempting} costs ")), "{out}");
    let (_, out, _) = run(&words, "solution\n");
    assert!(out.contains(&format!("Best: {best}")), "{out}");
    let (code, out, _) = run(&words, "quit\n");
    assert!(code == Some(0) && !out.contains("Best: "), "{out}");
    let (code, _, message) = run(&words, "");
    assert_eq!((code, message.as_str()), (Some(3), "error: standard input ended before an answer\n"));
}

#[test]
fn a_set_that_was_found_is_read_again() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    let find = "puzzle find tachtigen --by search:1 --sessions 48 --deals 60 --count 3 --seed 5 --to";
    let words: Vec<&str> = find.split(' ').chain(["mine.json", "--threads", "2"]).collect();
    let told = success(folder, &[&words[..], &["--json"]].concat(), None);
    assert!(told["puzzles"].as_u64().is_some_and(|count| (1..=3).contains(&count)), "{told}");
    let first =
        success(folder, &["puzzle", "tachtigen", "--from", "mine.json", "--number", "1", "--json"], None);
    assert_eq!(first["rules"], json!({}));
    let text = fs::read_to_string(folder.join("mine.json")).expect("a file");
    fs::write(folder.join("broken.json"), text.replacen("\"number\":1", "\"number\":4", 1)).expect("a file");
    let output = cardsharp(folder, &["puzzle", "tachtigen", "--from", "broken.json"], None);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(message, "error: broken.json: puzzle 1: its `number` is 4: expected 1\n");
}
