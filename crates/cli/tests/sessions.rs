//! Whole sessions through the command: traces and their replay, play with piped input, advice.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs `cardsharp` with these words and this standard input.
fn cardsharp(line: &str, input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that leaves early closes its input.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the command ends")
}

/// Standard output of a command that succeeds.
fn success(line: &str, input: &str) -> String {
    let output = cardsharp(line, input);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Exit code and standard error of a command.
fn failure(line: &str, input: &str) -> (Option<i32>, String) {
    let output = cardsharp(line, input);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// `text` with line `number` (from 1) changed.
fn tampered(text: &str, number: usize, change: impl Fn(&str) -> String) -> String {
    let lines = text.lines().enumerate();
    lines.map(|(i, line)| if i + 1 == number { change(line) } else { line.to_owned() } + "\n").collect()
}

#[test]
fn a_trace_replays_under_every_kind_of_rules() {
    for rules in ["plain", "merchants", "misdeals", "stripped"] {
        for seed in 1..=5 {
            let line = format!(
                "trace dalmuti --bots scripted,random --rounds 3 --seed {seed} --rules tests/rules/{rules}.toml"
            );
            let trace = success(&line, "");
            let summary: Value = serde_json::from_str(&success("replay - --json", &trace)).expect("JSON");
            assert_eq!(summary["follows_the_rules"], true);
            assert_eq!(summary["trace"]["rounds"], 3);
            assert_eq!(summary["trace"]["lines"], trace.lines().count());
        }
    }
}

#[test]
fn a_trace_has_its_lines_in_order_and_complete() {
    let lines = json_lines(&success("trace dalmuti --bots scripted --players 6 --rounds 2 --seed 3", ""));
    let kinds: Vec<&str> = lines.iter().map(|l| l["line"].as_str().expect("a kind")).collect();
    assert_eq!(kinds[..2], ["header", "deal"]);
    assert_eq!(kinds.last(), Some(&"payoff"));
    assert_eq!(kinds.iter().filter(|k| **k == "deal").count(), 2);
    assert_eq!(lines[0]["rules"]["hands"], 2);
    assert_eq!(lines[0]["bots"].as_array().map(Vec::len), Some(6));
    let cards: usize = (lines[1]["hands"].as_array().expect("hands").iter())
        .map(|hand| hand.as_str().expect("cards").split(' ').count())
        .sum();
    assert_eq!(cards, 80);
    for decision in lines.iter().filter(|l| l["line"] == "decision") {
        assert!(decision["legal"].as_array().expect("a list").contains(&decision["choice"]), "{decision}");
    }
    // Forced decisions are there too.
    assert!(lines.iter().any(|l| l["line"] == "decision" && l["legal"] == serde_json::json!(["pass"])));
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let trace = |seed| success(&format!("trace dalmuti --bots random --rounds 2 --seed {seed}"), "");
    assert_eq!(trace(7), trace(7));
    assert_ne!(trace(7), trace(8));
}

#[test]
fn a_trace_that_breaks_the_rules_is_refused_with_its_line() {
    let trace = success("trace dalmuti --bots scripted --seed 7", "");
    let lines = json_lines(&trace);
    let last = lines.len();
    let play = 1 + lines.iter().position(|l| l["phase"] == "play").expect("play");

    let refused = |text: &str| {
        let (code, message) = failure("replay -", text);
        assert_eq!(code, Some(1), "{message}");
        message
    };
    let illegal = refused(&tampered(&trace, play, |line| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        line["choice"] = "pass".into();
        line.to_string()
    }));
    assert!(
        illegal.contains(&format!("line {play}: seat")) && illegal.contains("cannot play \"pass\""),
        "{illegal}"
    );

    let legal = refused(&tampered(&trace, play, |line| line.replace("\"legal\":[", "\"legal\":[\"pass\",")));
    assert!(legal.contains(&format!("line {play}: legal[0] is \"pass\", but the rules give")), "{legal}");

    let dealt = refused(&tampered(&trace, 2, |line| line.replacen("12 12", "12 11", 1)));
    assert!(dealt.contains("line 2: hands["), "{dealt}");

    let paid = refused(&tampered(&trace, last, |line| line.replace("\"points\":[", "\"points\":[9,")));
    assert!(paid.contains(&format!("line {last}: points[0] is 9, but the rules give")), "{paid}");

    let short: String = trace.lines().take(last - 1).map(|l| format!("{l}\n")).collect();
    assert!(refused(&short).contains(&format!("line {last}: the trace ends here")));

    let long = format!("{trace}{}\n", lines[last - 1]);
    assert!(refused(&long).contains(&format!("line {}: the session was over", last + 1)));

    let other = refused(&tampered(&trace, 1, |line| line.replace("\"seed\":7", "\"seed\":8")));
    assert!(other.contains("line 2: "), "{other}");
}

#[test]
fn a_file_that_is_no_trace_is_bad_input() {
    for (text, reason) in [
        ("", "the file is empty"),
        ("hello", "line 1: not JSON"),
        ("{\"line\":\"header\",\"format\":2}", "format 2; this program reads format 1"),
        ("{\"line\":\"deal\"}", "`line` is \"deal\", expected \"header\""),
    ] {
        let (code, message) = failure("replay -", text);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn a_person_can_play_a_whole_session_with_piped_input() {
    let input = "#1\n".repeat(2000);
    let said = success("play dalmuti --against scripted,random --rounds 2 --seed 5", &input);
    assert!(said.contains("Your hand: ") && said.contains("Your moves (play):"), "{said}");
    assert!(said.contains("Round 2 is over") && said.contains("After 2 rounds you have "), "{said}");
    assert!(!said.contains("decline revolution"), "a revolution that nobody calls leaves no trace");
}

#[test]
fn hints_help_mistakes_and_leaving() {
    let said = success("play dalmuti --against random --seed 5", "hint\n?\n99\n#99\nseven\nquit\n");
    assert!(said.contains("scripted would play "), "{said}");
    assert!(said.contains("take back your last move"), "{said}");
    assert!(said.contains("`99` is neither a move nor a command"), "{said}");
    assert!(said.contains("there is no move #99; they go from #1"), "{said}");
    assert!(said.contains("`seven` is neither a move nor a command"), "{said}");
    assert!(said.ends_with("You left the table.\n"), "{said}");
    assert!(success("play dalmuti --seed 5", "undo\n").contains("no move of yours to take back"));
}

#[test]
fn undo_goes_back_to_the_same_position() {
    let line = "play dalmuti --against scripted --rounds 3 --seed 9 --json";
    let turns = |input: &str| -> Vec<Value> {
        json_lines(&success(line, input)).into_iter().filter(|l| l["line"] == "turn").collect()
    };
    let played = turns(&"#1\n".repeat(30));
    // Forward, back, and forward again from every position, over the ends of rounds too.
    let both = turns(&"#1\nundo\n#1\n".repeat(30));
    assert!(played.iter().any(|turn| turn["round"] == 2), "the moves do not reach the second round");
    assert_eq!(
        both.iter().step_by(3).collect::<Vec<_>>(),
        played[..both.len().div_ceil(3)].iter().collect::<Vec<_>>()
    );
    for step in both.chunks_exact(3) {
        assert_eq!(step[0], step[2], "undo led elsewhere");
    }
}

#[test]
fn a_front_end_sees_no_secret_moves() {
    let lines = json_lines(&success("play dalmuti --seed 4 --rounds 5 --json", &"#1\n".repeat(600)));
    let secret = |l: &&Value| l["line"] == "move" && l["seat"] != 0;
    for line in lines.iter().filter(secret) {
        let choice = line["choice"].as_str().expect("a label");
        assert!(!choice.starts_with("give") && choice != "decline revolution", "{line}");
    }
    assert_eq!(lines.last().map(|l| l["line"].clone()), Some("end".into()));
}

#[test]
fn a_view_from_play_gets_advice() {
    let lines = json_lines(&success("play dalmuti --seed 4 --json", ""));
    let turn = lines.iter().find(|l| l["line"] == "turn").expect("a turn");
    let view = turn["view"].to_string();
    let advice: Value = serde_json::from_str(&success("advise scripted --json", &view)).expect("JSON");
    let moves = advice["moves"].as_array().expect("moves");
    assert_eq!((moves[0]["probability"].as_f64(), &advice["value"]), (Some(1.0), &Value::Null));
    let mut labels: Vec<&Value> = moves.iter().map(|m| &m["move"]).collect();
    assert_eq!(labels.len(), turn["legal"].as_array().expect("legal").len());
    labels.retain(|l| !turn["legal"].as_array().is_some_and(|legal| legal.contains(l)));
    assert!(labels.is_empty(), "not legal: {labels:?}");

    let random: Value = serde_json::from_str(&success("advise random --json", &view)).expect("JSON");
    let sum: f64 =
        random["moves"].as_array().expect("moves").iter().filter_map(|m| m["probability"].as_f64()).sum();
    assert!((sum - 1.0).abs() < 1e-5);

    let (code, message) = failure("advise scripted", "{}");
    assert_eq!(code, Some(2), "{message}");
    let mut wrong: Value = turn["view"].clone();
    wrong["seat"] = 11.into();
    let (code, message) = failure("advise scripted", &wrong.to_string());
    assert_eq!(code, Some(2), "{message}");
}

#[test]
fn the_bench_counts_and_checks() {
    let bench: Value =
        serde_json::from_str(&success("bench dalmuti --seconds 0.05 --json", "")).expect("JSON");
    for kind in ["rules_only", "with_row"] {
        assert!(bench[kind]["decisions_per_second"].as_f64().expect("a rate") > 1000.0, "{bench}");
        let counted = bench[kind]["instructions"].as_f64().is_some_and(|n| n > 10.0);
        assert!(counted || bench[kind]["reason"].is_string(), "{bench}");
    }
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(["trace", "dalmuti", "--bots", "random", "--rounds", "50"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn completions_name_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = success(&format!("completions {shell}"), "");
        assert!(script.contains("cardsharp") && script.contains("arena"), "{shell}");
    }
}
