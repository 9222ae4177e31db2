//! Datasets: sessions that are played, traces, refused input, and an interruption.

use std::fs;
use std::path::Path;

use crate::typed::{failure, json_lines, success};
use serde_json::Value;

fn written(line: &str, input: &str) -> Value {
    serde_json::from_str(&success(&format!("dataset --json {line}"), input)).expect("JSON")
}

/// Returns the bytes of the shards in a folder.
fn shards(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a shard")).collect()
}

#[test]
fn the_same_command_writes_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = |name: &str, more: &str| {
        let to = folder.path().join(name);
        let line =
            format!("taki --bots scripted,random --players 3 --decisions 3000 --to {} {more}", to.display());
        let found = written(&line, "");
        assert_eq!(found["finished"], true);
        assert!(found["decisions"].as_u64() >= Some(3000), "{found}");
        assert_eq!(found["shards"], shards(&to).len());
        shards(&to)
    };
    let first = one("first", "--threads 1");
    assert_eq!(one("second", "--threads 3"), first);
    assert_ne!(one("third", "--seed 2"), first);
    assert_ne!(one("fourth", "--forced"), first);
    assert_eq!(one("third", "--overwrite"), first, "what was there is gone");
}

#[test]
fn rules_of_several_files_are_played_in_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("dataset");
    let rules = ["plain", "merchants"].map(|name| format!("--rules tests/rules/{name}.toml")).join(" ");
    let found = written(&format!("dalmuti {rules} --sessions 4 --rounds 2 --to {}", to.display()), "");
    assert_eq!(found["sessions"], 4);
}

#[test]
fn traces_become_a_dataset_if_every_line_is_right() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let trace = |name: &str, line: &str| {
        fs::write(path(name), success(&format!("trace {line}"), "")).expect("a file");
        path(name).display().to_string()
    };
    let first = trace("first.jsonl", "tachtigen --rounds 2 --seed 3");
    let second = trace("second.jsonl", "tachtigen --bots random --seed 4");
    let to = path("dataset").display().to_string();
    let found = written(&format!("--traces {first} {second} --forced --to {to}"), "");
    let decisions = |name: &str| {
        let text = fs::read_to_string(path(name)).expect("a trace");
        json_lines(&text).iter().filter(|line| line["line"] == "decision").count()
    };
    assert_eq!(found["decisions"], decisions("first.jsonl") + decisions("second.jsonl"));
    assert_eq!(found["sessions"], 2);
    let text = fs::read_to_string(&first).expect("a trace");
    let from_input = written(&format!("--traces - --overwrite --to {to}"), &text);
    assert_eq!(from_input["sessions"], 1);

    let wrong =
        text.replacen(r#""place":[1"#, r#""place":[3"#, 1).replacen(r#""place":[2"#, r#""place":[1"#, 1);
    assert_ne!(wrong, text);
    fs::write(path("wrong.jsonl"), &wrong).expect("a file");
    let before = shards(Path::new(&to));
    let replaced =
        format!("dataset --traces {first} {} --overwrite --to {to}", path("wrong.jsonl").display());
    let typed = format!("dataset --traces {first} - --overwrite --to {to}");
    for (line, input) in [(&replaced, ""), (&typed, wrong.as_str())] {
        assert_eq!(failure(line, input).0, Some(1), "{line}");
        assert_eq!(shards(Path::new(&to)), before, "{line}");
    }
    let other = path("other").display().to_string();
    let (code, message) =
        failure(&format!("dataset --traces {first} {} --to {other}", path("wrong.jsonl").display()), "");
    assert_eq!(code, Some(1));
    assert!(message.contains("wrong.jsonl: line ") && message.contains("but the rules give"), "{message}");
    assert!(shards(Path::new(&other)).is_empty(), "no shard was whole");
    let taki = trace("taki.jsonl", "taki --seed 1");
    let (code, message) = failure(&format!("dataset --traces {first} {taki} --to {other}"), "");
    assert_eq!(
        (code, message.contains("a session of taki among those of tachtigen")),
        (Some(2), true),
        "{message}"
    );
}

#[test]
fn what_is_played_goes_with_no_trace() {
    for more in ["dalmuti", "--bots random", "--players 4", "--seed 2", "--playouts 3", "--set players=4"] {
        let (code, message) = failure(&format!("dataset --to nowhere {more} --traces trace.jsonl"), "");
        assert_eq!((code, message.contains("cannot be used with")), (Some(2), true), "{more}: {message}");
    }
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("notes.txt"), "mine").expect("a file");
    for (more, expected) in [
        ("", "is not empty: expected a new or empty folder"),
        ("--overwrite", "is not overwritten, because `notes.txt` in it is no shard"),
    ] {
        let line = format!("dataset dalmuti --sessions 1 --to {} {more}", folder.path().display());
        let (code, message) = failure(&line, "");
        assert_eq!((code, message.contains(expected)), (Some(2), true), "{message}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_whole_shards_and_says_so() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("dataset");
    let words =
        ["dataset", "kuhn", "--json", "--decisions", "1000000000", "--shard", "1", "--threads", "2", "--to"];
    let run = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(words)
        .arg(&to)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let first = to.join("shard-00000.parquet");
    while !first.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &run.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    let output = run.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&found["finished"], &found["shards"]),
        (&Value::Bool(false), &Value::from(shards(&to).len()))
    );
}
