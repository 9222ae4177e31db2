//! Runs the command in a separate folder.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs the command in `folder`, with a file as its input.
pub fn cardsharp(folder: &Path, words: &[&str], input: Option<&Path>) -> Output {
    let input = input.map_or(Stdio::null(), |path| fs::File::open(path).expect("a file").into());
    let command = env!("CARGO_BIN_EXE_cardsharp");
    Command::new(command).args(words).current_dir(folder).stdin(input).output().expect("the command runs")
}

/// Returns the JSON output of a command that succeeds.
pub fn success(folder: &Path, words: &[&str], input: Option<&Path>) -> Value {
    let output = cardsharp(folder, words, input);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}
