//! Campaigns: many random tries of rare faults. The check makes a few tries; `.ci/campaign 100` makes a hundred times
//! as many, for example overnight.
//!
//! Only the moments of the kills depend on the machine. The damage depends on the number of the try, and a failure
//! names that number.

mod damage;
mod files;
mod kills;
mod readers;
mod texts;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A run of a few seconds, with a checkpoint of every iteration.
const TRAIN: &[&str] = &["train", "tests/train/tiny.toml", "--set", "checkpoint.every=1"];

/// Returns the numbers of the tries: `few`, or `CARDSHARP_CAMPAIGN` times as many.
fn tries(few: u64) -> std::ops::Range<u64> {
    let times = std::env::var("CARDSHARP_CAMPAIGN").map_or(1, |times| {
        times.parse().unwrap_or_else(|_| panic!("CARDSHARP_CAMPAIGN must be a whole number, not {times:?}"))
    });
    0..few * times
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardsharp"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn cardsharp(words: &[&str]) -> Output {
    command(words).output().expect("the command runs")
}

/// Like [`cardsharp`], with input.
fn told(words: &[&str], input: &[u8]) -> Output {
    let mut child = command(words).stdin(Stdio::piped()).spawn().expect("the command starts");
    // A command that refuses its input may end before it has read everything.
    _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the command ends")
}

/// Returns the output of a command, or the error message. Any other behavior fails the campaign.
fn said(output: &Output, what: &str) -> Result<Vec<u8>, String> {
    let refusal = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.code() {
        Some(0) => Ok(output.stdout.clone()),
        Some(1 | 2) if !refusal.trim().is_empty() => Err(refusal),
        _ => panic!("{what}: {}\n{refusal}", output.status),
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Trains in `run` without interruption.
fn trained(run: &Path) {
    let output = cardsharp(&[TRAIN, &["--run", text(run)]].concat());
    assert!(output.status.success(), "{output:?}");
}

/// Returns all files below a folder: name and bytes.
fn files_of(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below the folder");
                found.insert(text(name).to_owned(), fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

/// Writes files by name into a new folder.
fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        fs::write(path, bytes).expect("written");
    }
}

/// Returns the names of a run's files that are missing on one side, or differ. Files with times are ignored.
fn differing(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
    let timeless =
        |name: &&String| !["timing.csv", "lock"].contains(&name.as_str()) && !name.starts_with("events.");
    names.filter(timeless).filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}
