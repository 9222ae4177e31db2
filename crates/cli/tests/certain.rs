//! Certain outcomes, and rules that a bot was not trained with.

use std::path::{Path, PathBuf};

use crate::folder::{cardsharp, success};
use serde_json::{Value, json};

fn view(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/views").join(name)
}

fn refusal(folder: &Path, words: &[&str]) -> String {
    let output = cardsharp(folder, words, None);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn a_decision_is_solved_as_far_as_its_seat_foresees() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let two_left = view("dalmuti-two-left.json");
    let solved = success(at, &["solve", "dalmuti", "--view", "-", "--json"], Some(&two_left));
    let rewards: Vec<(&str, f64)> = solved["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|one| (one["move"].as_str().expect("a name"), one["reward"].as_f64().expect("a number")))
        .collect();
    assert_eq!(rewards, [("10", -0.5), ("10x2", -0.5), ("11", -1.0), ("11x2", -1.0)]);
    assert_eq!((&solved["foresight"], &solved["seat"]), (&json!("round"), &json!(1)));
    let line: Vec<String> = solved["line"]
        .as_array()
        .expect("a line")
        .iter()
        .map(|step| format!("{}:{}", step["seat"], step["move"].as_str().expect("a name")))
        .collect();
    assert_eq!(line.join(" "), "1:10x2 2:pass 1:11x2");

    let path = two_left.to_str().expect("UTF-8");
    let shown = cardsharp(at, &["solve", "dalmuti", "--view", path], None);
    let shown = String::from_utf8(shown.stdout).expect("UTF-8");
    assert!(shown.contains("With optimal play seat 1 gets -0.500: 1:10x2 2:pass"), "{shown}");

    let path = view("taki-nothing-certain.json");
    let path = path.to_str().expect("UTF-8");
    let nothing = success(at, &["solve", "taki", "--view", path, "--json"], None);
    assert_eq!((&nothing["moves"], &nothing["foresight"]), (&json!([]), &json!("own_turn")));
    let shown = cardsharp(at, &["solve", "taki", "--view", path], None);
    assert_eq!(String::from_utf8_lossy(&shown.stdout), "No move is certain to win, or to go out next.\n");

    let both = refusal(at, &["solve", "taki", "--view", path, "--bot", "scripted"]);
    assert!(both.contains("cannot be used with"), "{both}");
    let other = refusal(at, &["solve", "dalmuti", "--view", path]);
    assert!(other.contains("taki"), "{other}");
}

/// The two remaining players know each other's cards, so beliefs are certain.
#[test]
fn what_a_seat_may_believe_is_told_in_numbers_and_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let two_left = view("dalmuti-two-left.json");
    let words = ["advise", "scripted", "--beliefs", "50", "--json"];
    let told = success(folder.path(), &words, Some(&two_left));
    let beliefs = &told["beliefs"];
    assert_eq!(beliefs["deals"], 50);
    let sure = |seat: &Value| {
        let cards = seat["cards"].as_array().expect("cards");
        cards.iter().all(|card| card["any"] == 1.0 && card["mean"].as_f64().is_some_and(|mean| mean >= 1.0))
    };
    let seats = beliefs["seats"].as_array().expect("seats");
    assert!(!seats.is_empty() && seats.iter().all(sure), "{beliefs}");
    let said = cardsharp(folder.path(), &["advise", "scripted", "--beliefs"], Some(&two_left));
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains("100 %") && said.contains("Estimated from 2000 deals"), "{said}");
}

/// One bot was trained with the default rules, and the shipped one with random rules.
#[test]
fn a_bot_says_once_by_which_rules_it_never_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let narrow = "game = \"tahimi\"\niterations = 1\n[net]\nhidden = [8]\n[evaluate]\nfinal_deals = 2\n";
    std::fs::write(folder.path().join("narrow.toml"), narrow).expect("a file");
    let trained = success(folder.path(), &["train", "narrow.toml", "--run", "run", "--json"], None);
    assert_eq!(trained["bundle"], "run/bundle");
    let told = |bots: &str, more: &[&str]| {
        let words = [&["arena", "tahimi", "--bots", bots, "--deals", "2", "--json"], more].concat();
        let output = cardsharp(folder.path(), &words, None);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["game"], "tahimi");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let narrow = "run/bundle,search:1+run/bundle";
    assert_eq!(told(narrow, &[]), "");
    let redrawn = ["--set", "join_policy=\"redraw\""];
    let expected =
        "warning: run/bundle was not trained with these rules: join_policy = \"redraw\" (trained: \"middle\")\n"
            .to_owned();
    assert_eq!(told(narrow, &redrawn), expected);
    assert_eq!(told("tahimi,scripted", &redrawn), "");
}
