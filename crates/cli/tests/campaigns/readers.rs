//! Damages input that only the targets of `fuzz/` read: rules, endgames, networks and metrics. It makes the same
//! assertions, because the check does not fuzz.

use std::fs;
use std::path::PathBuf;

use cardsharp_cli::fuzzing;
use cardsharp_env::{Draw, GAMES};
use serde_json::Value;

use super::damage::damaged;
use super::{text, trained, tries};

/// An endgame of TAKI and its rules.
const ENDGAME: &str =
    r#"[{"players": 2, "max_decisions": 3}, {"top": "R5", "unseen": "R1 R3 Rtaki Rstop B1 B1", "hand": 2}]"#;

#[test]
fn damaged_rules_are_refused_or_a_session_is_played_by_them() {
    let mut accepted = 0;
    for number in tries(300) {
        for game in GAMES.iter() {
            let mut draw = Draw::new(number, 5);
            let [whole, other] = [0, 1].map(|more| game.random_rules(number + more));
            let given = if draw.below(2) == 0 {
                mixed(whole.json(), other.json(), &mut draw).to_string().into_bytes()
            } else {
                damaged(whole.to_string().as_bytes(), other.to_string().as_bytes(), &mut draw)
            };
            let Ok(given) = serde_json::from_slice::<Value>(&given) else { continue };
            // Test output shows the failing case last.
            println!("{}, damage {number}", game.name());
            accepted += usize::from(fuzzing::rules(*game, &given));
        }
    }
    println!("{accepted} accepted");
    assert!(accepted > 100);
}

/// Returns rules in which a few options have the values of other rules, from the same or from any option.
fn mixed(rules: &Value, other: &Value, draw: &mut Draw) -> Value {
    let mut rules = rules.clone();
    let (Some(options), Some(other)) = (rules.as_object_mut(), other.as_object()) else { return rules };
    let [names, others] = [&*options, other].map(|options| options.keys().cloned().collect::<Vec<_>>());
    if names.is_empty() {
        return rules;
    }
    for _ in 0..=draw.below(3) {
        let name = names[draw.below(names.len() as u32) as usize].clone();
        let from = if draw.below(4) == 0 { &others[draw.below(others.len() as u32) as usize] } else { &name };
        let value = other.get(from).cloned().unwrap_or(Value::Null);
        options.insert(name, value);
    }
    rules
}

#[test]
fn damaged_endgames_are_refused_or_all_of_them_is_there_to_be_solved() {
    let (mut refused, mut listed) = (0, 0);
    for number in tries(1_000) {
        let given = damaged(ENDGAME.as_bytes(), b"{\"hand\": 1, 0}", &mut Draw::new(number, 6));
        println!("damage {number}");
        let found = fuzzing::endgame(&given);
        (refused, listed) = (refused + found.0, listed + found.1);
    }
    println!("{refused} refused, {listed} listed");
    assert!(refused > 10 && listed > 10);
}

#[test]
fn damaged_networks_are_refused_or_written_again_to_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    trained(&run);
    let whole = fs::read(run.join("bundle/bot.safetensors")).expect("a network");
    // After its own length, the header has names, shapes and lengths. The rest is numbers.
    let (length, rest) = whole.split_first_chunk().expect("a length");
    let (beginning, numbers) = rest.split_at(u64::from_le_bytes(*length) as usize);
    let mut accepted = 0;
    for number in tries(1_000) {
        let mut draw = Draw::new(number, 7);
        let given = if draw.below(4) == 0 {
            damaged(&whole, beginning, &mut draw)
        } else {
            let beginning = damaged(beginning, numbers, &mut draw);
            [&(beginning.len() as u64).to_le_bytes()[..], &beginning, numbers].concat()
        };
        println!("damage {number}");
        accepted += usize::from(fuzzing::weights(&given));
    }
    println!("{accepted} accepted");
    assert!(accepted > 10);
}

#[test]
fn damaged_records_are_refused_or_shown_on_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    trained(&run);
    let read = |path: PathBuf| fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", text(&path)));
    let checkpoints = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints"));
    let mut whole: Vec<Vec<u8>> =
        ["dalmuti", "taki"].map(|game| read(checkpoints.join(game).join("bot/arena.json"))).into();
    whole.push([read(run.join("config.toml")), vec![0], read(run.join("metrics.csv"))].concat());
    for record in &whole {
        fuzzing::record(record);
    }
    for number in tries(100) {
        for (index, record) in whole.iter().enumerate() {
            let other = &whole[(index + 1) % whole.len()];
            fuzzing::record(&damaged(record, other, &mut Draw::new(number, 8)));
        }
    }
}
