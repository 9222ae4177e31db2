//! Runs the command as typed: its words as one line, and its input.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs `cardsharp` with these words and this standard input.
pub fn cardsharp(line: &str, input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that ends early closes its input.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the command ends")
}

/// Returns the standard output of a command that succeeds.
pub fn success(line: &str, input: &str) -> String {
    let output = cardsharp(line, input);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the exit code and standard error of a command.
pub fn failure(line: &str, input: &str) -> (Option<i32>, String) {
    let output = cardsharp(line, input);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

pub fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}
