//! The ordinary command supports the game: it lists, describes, trains, measures, exports, verifies, plays, records and
//! replays it like any other.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Runs the command with these arguments and this input, and returns its output. The command must succeed.
#[track_caller]
fn success(line: &str, input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crazy-eights"));
    command.args(line.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Writing fails if the command ends before it has read all input.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(line: &str, input: &str) -> Value {
    serde_json::from_str(&success(line, input)).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn it_is_listed_beside_the_others() {
    let games = json("games --json", "");
    let names: Vec<&str> =
        games.as_array().unwrap().iter().map(|game| game["game"].as_str().unwrap()).collect();
    assert!(names.contains(&"dalmuti") && names.last() == Some(&"crazy_eights"), "{names:?}");
    let help = success("help play", "");
    assert!(help.contains("crazy_eights"), "{help}");
}

#[test]
fn the_page_of_encodings_is_what_the_code_says() {
    // After a change: `cargo run --release -p crazy-eights -- describe crazy_eights --markdown > ENCODINGS.md`.
    assert_eq!(success("describe crazy_eights --markdown", ""), include_str!("../ENCODINGS.md"));
}

#[test]
fn the_scripted_player_is_measured() {
    let report =
        json("arena crazy_eights --bots scripted,random --players 5 --deals 100 --seed 1 --json", "");
    assert!(report["bots"][0]["place_score"]["low"].as_f64().unwrap() > 0.5, "{report}");
}

#[test]
fn a_person_plays_and_asks_for_advice() {
    let played = lines(&success("play crazy_eights --seed 4 --json", &"#1\n".repeat(300)));
    assert_eq!(played.last().unwrap()["line"], "end");
    let turn = played.iter().find(|line| line["line"] == "turn").unwrap();
    let advice = json("advise scripted --json", &turn["view"].to_string());
    assert_eq!(advice["game"], "crazy_eights");
    let search = json("advise search:50 --json", &turn["view"].to_string());
    assert!(turn["legal"].as_array().unwrap().contains(&search["moves"][0]["move"]));
}

#[test]
fn games_are_recorded_and_replayed() {
    for seed in 0..4 {
        let set = "--set use_special_cards=true --set reshuffle=true --set max_draw_cards=2";
        let trace = success(&format!("trace crazy_eights --bots random --rounds 3 --seed {seed} {set}"), "");
        let told = json("replay - --json", &trace);
        assert_eq!(told["trace"]["rounds"], 3, "{told}");
    }
}

#[test]
fn what_is_too_large_to_be_solved_is_refused_with_a_reason() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crazy-eights"));
    let output = command.args(["solve", "crazy_eights"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && message.contains("too large"), "{message}");
}

#[cfg(feature = "train")]
#[test]
fn a_bot_is_trained_exported_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let short = "--set iterations=4 --set rollout.sessions=2 --set evaluate.every=2 --set evaluate.deals=2 \
                 --set evaluate.final_deals=4 --set evaluate.tables=[] --set checkpoint.every=2 --set net.hidden=[16]";
    let report = json(&format!("train crazy-eights.toml {short} --run {} --json", path("run")), "");
    assert_eq!(report["finished"], true);
    let bundle = report["bundle"].as_str().unwrap();
    assert_eq!(json(&format!("verify {bundle} --json"), "")["game"], "crazy_eights");
    success(&format!("export {} --to {}", path("run"), path("again")), "");
    assert_eq!(json(&format!("verify {} --json", path("again")), "")["vectors"], 1000);
    // The run is complete, so there is nothing to train.
    assert_eq!(json(&format!("train --resume {} --json", path("run")), "")["iterations"], 4);
    let played = lines(&success(
        &format!("play crazy_eights --against {bundle} --seed 2 --json"),
        &"#1\n".repeat(300),
    ));
    assert_eq!(played.last().unwrap()["line"], "end");
    let turn = played.iter().find(|line| line["line"] == "turn").unwrap();
    let advice = json(&format!("advise {bundle} --json"), &turn["view"].to_string());
    assert_eq!(advice["game"], "crazy_eights");
    success(&format!("report {} --to {}", path("run"), path("report.html")), "");
}
