//! Campaigns: what hardly ever happens, tried again and again. The check tries each a little;
//! `.ci/campaign 100` tries a hundred times as much, and anybody can let it run overnight.
//!
//! Nothing that is found depends on the machine but the moments of the kills: what is damaged, and
//! how, follows from numbers that are counted up, and a failure names its own.

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

/// A run of seconds, of which every iteration is kept.
const TRAIN: &[&str] = &["train", "tests/train/tiny.toml", "--set", "checkpoint.every=1"];

/// The numbers of the tries of a campaign: `few` of them, or `CARDSHARP_CAMPAIGN` times as many.
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

/// As [`cardsharp`], with something to read.
fn told(words: &[&str], input: &[u8]) -> Output {
    let mut child = command(words).stdin(Stdio::piped()).spawn().expect("the command starts");
    // A command that has read enough to refuse it may leave before all is written.
    _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the command ends")
}

/// What a command said: its answer, or why it refused. Whatever else it did fails the campaign.
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

/// Trains in `run`, without interruption.
fn trained(run: &Path) {
    let output = cardsharp(&[TRAIN, &["--run", text(run)]].concat());
    assert!(output.status.success(), "{output:?}");
}

/// All files below a folder by name, with their bytes.
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

/// Writes files by name below a folder that is not there.
fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        fs::write(path, bytes).expect("written");
    }
}

/// The names of the files of a run that are not in both, or not the same: of those that no clock influences.
fn differing(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
    let timeless =
        |name: &&String| !["timing.csv", "lock"].contains(&name.as_str()) && !name.starts_with("events.");
    names.filter(timeless).filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}
