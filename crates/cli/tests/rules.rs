//! The rules of a game as text.

use crate::typed::{failure, json_lines, success};
use cardsharp_env::GAMES;
use serde_json::{Value, json};

#[test]
fn every_game_that_people_play_tells_its_rules() {
    for game in GAMES.iter().filter(|game| !game.is_reference()) {
        let said = success(&format!("rules {}", game.name()), "");
        assert!(said.starts_with(&format!("{} at this table\n  Default rules", game.title())), "{said}");
        for option in game.options() {
            assert!(said.contains(option.name), "{}: {}", game.name(), option.name);
        }
        let long: Vec<&str> = said.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{}: {long:#?}", game.name());
        assert!(!said.contains("](") && !said.contains("|---"), "{}", game.name());
    }
}

#[test]
fn a_table_says_what_it_does_otherwise() {
    let said = success("rules taki --set last_card_penalty=2 --players 3", "");
    assert!(said.contains("  last_card_penalty = 2 (default 4): "), "{said}");
    assert!(said.contains("  players = 3 (default "), "{said}");
    let page: Value = serde_json::from_str(&success("rules taki --players 3 --json", "")).expect("JSON");
    assert_eq!((&page["game"], &page["rules"]["players"]), (&json!("taki"), &json!(3)));
    assert_eq!(page["here"].as_array().map(Vec::len), Some(1));
    assert_eq!((&page["here"][0]["option"], &page["here"][0]["value"]), (&json!("players"), &json!(3)));
    assert!(page["markdown"].as_str().is_some_and(|text| text.starts_with("# TAKI")));
    // `play` shows the same page.
    let lines = json_lines(&success("play taki --seed 1 --json", "/rules\n/quit\n"));
    let told = lines.iter().find(|line| line["line"] == "rules").expect("an answer");
    assert_eq!(told["text"], page["markdown"]);
}

#[test]
fn a_game_without_rules_to_tell_is_refused() {
    for (line, expected) in [
        ("rules", "<GAME>"),
        ("rules tahmi", "'tahimi'"),
        (
            "rules kuhn",
            "GAME cannot be kuhn: expected a game with a rules text: tahimi, dalmuti, taki, tachtigen",
        ),
        ("rules taki --set playrs=3", "did you mean `players`?"),
    ] {
        let (code, message) = failure(line, "");
        assert!(code == Some(2) && message.contains(expected), "{line}: {code:?}: {message}");
    }
}
