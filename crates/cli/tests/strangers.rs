//! Untrusted text: files, names and typed lines with control characters, without valid text, or without an end.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// Names the window of the terminal, clears it, sets a color with an 8-bit control character, and reverses letters.
const EVIL: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{7f}\r";

/// Runs `cardsharp` with these words and this standard input.
fn cardsharp(words: &[&str], input: impl Into<Stdio>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardsharp")).args(words).stdin(input).output().expect("the command runs")
}

/// Like [`cardsharp`], with these bytes on standard input.
fn given(words: &[&str], input: &[u8]) -> Output {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(input).expect("written");
    std::io::Seek::rewind(&mut file).expect("rewound");
    cardsharp(words, file)
}

fn zero() -> File {
    File::open("/dev/zero").expect("zeros")
}

/// Returns the exit code and standard error.
fn failure(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stderr.clone()).expect("UTF-8"))
}

fn success(words: &[&str], input: &[u8]) -> String {
    let output = given(words, input);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Checks that a terminal does not act on the output, and that no line would fill it.
#[track_caller]
fn assert_tame(output: &Output) {
    for stream in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(stream).expect("UTF-8");
        let wild =
            |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202a}'..='\u{202e}');
        assert!(!text.contains(wild), "{text:?}");
        assert!(text.lines().all(|line| line.chars().count() <= 1000), "{text:?}");
    }
}

/// Copies a shipped bot.
fn shipped(to: &Path) {
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints/dalmuti/bot/bot.safetensors");
    std::fs::copy(bot, to).expect("a bot");
}

/// Returns the lines of a trace of a single round.
fn trace() -> Vec<Value> {
    let text = success(&["trace", "dalmuti", "--seed", "7"], b"");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn text_of(trace: &[Value]) -> Vec<u8> {
    trace.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

fn long() -> String {
    format!("{EVIL}{}", "x".repeat(500_000))
}

#[test]
fn traces_are_refused_without_acting_on_the_terminal() {
    let good = trace();
    let decision = good.iter().position(|line| line["line"] == "decision").expect("a decision");
    for evil in [EVIL.to_owned(), long()] {
        for (line, field) in [
            (0, "line"),
            (0, "format"),
            (0, "game"),
            (0, "seed"),
            (0, "new"),
            (1, "line"),
            (1, "hands"),
            (1, &*evil),
            (decision, "choice"),
            (decision, "phase"),
            (decision, "line"),
        ] {
            let mut bad = good.clone();
            bad[line][field] = json!(evil);
            let output = given(&["replay", "-"], &text_of(&bad));
            assert!(!output.status.success(), "line {line}, {field}");
            assert_tame(&output);
        }
        let mut bad = good.clone();
        bad[0]["rules"][&evil] = json!(1);
        assert_tame(&given(&["replay", "-"], &text_of(&bad)));
        assert_tame(&given(&["replay", "-"], evil.as_bytes()));
    }
    let mut bad = good;
    bad[0]["game"] = json!("\u{1b}]0;title\u{7}");
    let (_, message) = failure(&given(&["replay", "-"], &text_of(&bad)));
    assert!(message.contains("there is no game `\\u{1b}]0;title\\u{7}`"), "{message}");
}

#[test]
fn files_are_refused_without_acting_on_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    let file = path.to_str().expect("UTF-8");
    for evil in [EVIL.to_owned(), long()] {
        for (words, text) in [
            (&["trace", "dalmuti", "--rules", file][..], format!("players = 5\nstrip = \"{evil}\"\n")),
            (&["trace", "dalmuti", "--rules", file], format!("players = 5 # {evil}\nplayrs = 3\n")),
            (&["trace", "dalmuti", "--rules", file], format!("{} = 3\n", "x".repeat(evil.len()))),
            (&["train", file], format!("game = \"{evil}\"\n")),
            (&["train", file], format!("game = \"dalmuti\"\n[ppo]\n{} = 3\n", "x".repeat(evil.len()))),
            (&["solve", "taki", "--endgame", file], format!("hand = \"{evil}\"\n")),
            (&["solve", "taki", "--players", "2", "--endgame", file], json!({ "a": evil })["a"].to_string()),
            (&["report", file, "--to", "page.html"], json!({ "game": evil }).to_string()),
            (&["report", file, "--to", "page.html"], json!({ &evil: 1 }).to_string()),
            (&["arena", "dalmuti", "--bots", file], evil.clone()),
            (&["verify", file], evil.clone()),
        ] {
            std::fs::write(&path, text).expect("a file");
            let output = cardsharp(words, Stdio::null());
            assert_eq!(output.status.code(), Some(2), "{words:?}");
            assert_tame(&output);
        }
        for view in [json!({ "seat": evil }), json!({ "view": { &evil: 1 } }), json!({ "seat": 0, &evil: 1 })]
        {
            let output = given(&["advise", "scripted"], view.to_string().as_bytes());
            assert_eq!(output.status.code(), Some(2));
            assert_tame(&output);
        }
    }
}

#[test]
fn names_and_words_are_shown_without_acting_on_the_terminal() {
    let evil = format!("{EVIL}.json");
    for words in [
        &["replay", &evil][..],
        &["report", &evil, "--to", "page.html"],
        &["describe", &evil],
        &[&evil],
        &["train", &evil],
        &["verify", &evil],
        &["arena", "dalmuti", "--bots", &evil],
        &["trace", "dalmuti", "--bots", &evil],
        &["trace", "dalmuti", "--rules", &evil],
        &["trace", "dalmuti", "--set", &evil],
        &["trace", "dalmuti", "--set", &format!("strip='{evil}'")],
        &["play", "dalmuti", "--level", &evil],
    ] {
        let output = cardsharp(words, Stdio::null());
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert_tame(&output);
    }
    let (_, message) = failure(&cardsharp(&["describe", "\u{1b}[2Jtaki"], Stdio::null()));
    assert!(message.starts_with("error: invalid value '\\u{1b}[2Jtaki' for '[GAME]'"), "{message}");
    // A table with the name of an existing bot, and the path of a page, as text and as JSON.
    let folder = tempfile::tempdir().expect("a folder");
    let bot = folder.path().join(EVIL).join("bot.safetensors");
    std::fs::create_dir(bot.parent().expect("a folder")).expect("a folder");
    shipped(&bot);
    let bots = format!("{},random", bot.display());
    let contest = ["arena", "dalmuti", "--deals", "2", "--bots", &bots];
    let table = given(&contest, b"");
    assert!(table.status.success() && String::from_utf8_lossy(&table.stdout).contains("title\\u{7}"));
    assert_tame(&table);
    let found = given(&[&contest[..], &["--json"]].concat(), b"");
    assert_tame(&found);
    let report: Value = serde_json::from_slice(&found.stdout).expect("JSON");
    assert_eq!(report["bots"][0]["name"], bot.display().to_string());
    let page = bot.with_file_name("page.html");
    let words = ["report", "-", "--to", page.to_str().expect("UTF-8")];
    let told = given(&words, &found.stdout);
    assert!(told.status.success());
    assert_tame(&told);
}

#[test]
fn what_is_typed_is_shown_without_acting_on_the_terminal() {
    // An arrow key, as a terminal sends it.
    let input = format!("\u{1b}[A\n{EVIL}\n#{EVIL}\n{}\n/quit\n", &long()[..60_000]);
    for words in [&["play", "dalmuti", "--seed", "5"][..], &["play", "dalmuti", "--seed", "5", "--json"]] {
        let output = given(words, input.as_bytes());
        assert!(output.status.success());
        let said = String::from_utf8_lossy(&output.stdout).replace("\\\\", "\\");
        assert!(said.contains("`\\u{1b}[A` is neither a move nor a command"), "{said}");
        if words.len() == 4 {
            assert_tame(&output);
        }
    }
}

#[test]
fn a_line_that_is_no_text_is_a_bad_move() {
    let words = ["play", "dalmuti", "--against", "scripted", "--seed", "5"];
    let said = success(&words, b"7x\xff\xfe\nhint\nquit\n");
    let refused = "`7x��` is not UTF-8 text at each �; `/help` lists the commands";
    assert!(said.contains(refused) && said.contains("scripted would play "), "{said}");
    let lines = success(&["play", "dalmuti", "--seed", "5", "--json"], b"\xff\n#1\n/quit\n");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let kinds: Vec<_> = lines.iter().filter_map(|line| line["line"].as_str()).collect();
    let refused = kinds.iter().position(|&kind| kind == "refused").expect("a refusal");
    assert!(kinds[..refused].contains(&"turn") && kinds[refused + 1..].contains(&"turn"), "{kinds:?}");
}

#[test]
fn nothing_is_read_without_end() {
    for (words, name) in [
        (&["replay", "/dev/zero"][..], "/dev/zero: line 1 is too long: expected at most 1048576 bytes"),
        (&["replay", "-"], "standard input: line 1 is too long: expected at most 1048576 bytes"),
        (&["report", "/dev/zero", "--to", "page.html"], "/dev/zero is too large: expected at most 268435456"),
        (&["report", "-", "--to", "page.html"], "standard input is too large: expected at most 268435456"),
        (&["solve", "kuhn", "--endgame", "/dev/zero"], "/dev/zero is too large: expected at most 1048576"),
        (&["solve", "kuhn", "--bot", "/dev/zero"], "/dev/zero"),
        (&["trace", "dalmuti", "--rules", "/dev/zero"], "/dev/zero is too large: expected at most 1048576"),
        (&["arena", "dalmuti", "--bots", "/dev/zero,random"], "/dev/zero"),
        (&["advise", "scripted"], "standard input is too large: expected at most 268435456 bytes"),
        (&["observe", "taki"], "standard input: line 1 is too long: expected at most 1048576 bytes"),
        (&["play", "dalmuti"], "a line on standard input is too long: expected at most 65536 bytes"),
        (
            &["play", "dalmuti", "--json"],
            "a line on standard input is too long: expected at most 65536 bytes",
        ),
    ] {
        let (code, message) = failure(&cardsharp(words, zero()));
        assert_eq!(code, Some(2), "{words:?}: {message}");
        assert!(message.contains(name), "{words:?}: {message}");
    }
}

#[test]
fn a_file_beside_a_bot_is_not_read_without_end() {
    let folder = tempfile::tempdir().expect("a folder");
    shipped(&folder.path().join("bot.safetensors"));
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("levels.json")).expect("a link");
    let bot = folder.path().to_str().expect("UTF-8");
    let (code, message) = failure(&given(&["advise", bot, "--level", "3"], b"{}"));
    assert_eq!(code, Some(2), "{message}");
    let expected = "levels.json: it is a pipe, a socket or a device; expected a regular file";
    assert!(message.contains(expected), "{message}");
    // A pipe without a writer does not block the command.
    for file in ["levels.json", "beliefs.safetensors", "manifest.json", "bot.safetensors"] {
        let path = folder.path().join(file);
        // Only the levels and the bot exist already.
        let _ = std::fs::remove_file(&path);
        let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
        let asked: &[&str] = match file {
            "beliefs.safetensors" => &["advise", bot, "--beliefs"],
            _ => &["advise", bot, "--level", "3"],
        };
        let (code, message) = failure(&given(asked, include_bytes!("views/dalmuti-two-left.json")));
        assert_eq!(code, Some(2), "{file}: {message}");
        assert!(message.contains(&format!("{file}: ")) || file == "bot.safetensors", "{message}");
        std::fs::remove_file(&path).expect("removed");
        if file == "bot.safetensors" {
            shipped(&path);
        }
    }
}

#[test]
fn advice_on_nothing_is_asked_for_a_view() {
    for nothing in ["", "\n", " \r\n\t"] {
        let (code, message) = failure(&given(&["advise", "scripted"], nothing.as_bytes()));
        assert_eq!(code, Some(2), "{message}");
        assert!(
            message.contains("standard input is not a view: it is empty; expected JSON like"),
            "{message}"
        );
    }
}

#[test]
fn the_bots_of_a_trace_fill_its_seats() {
    let good = trace();
    let refused = |bots: Value| {
        let mut bad = good.clone();
        bad[0]["bots"] = bots;
        let (code, message) = failure(&given(&["replay", "-"], &text_of(&bad)));
        assert_eq!(code, Some(2), "{message}");
        message
    };
    let few = refused(json!(vec!["scripted"; 4]));
    let many = refused(json!(vec!["scripted"; 10_000]));
    for (message, bots) in [(few, 4), (many, 10_000)] {
        let expected = format!(
            "line 1: not the header of a trace: `bots` has {bots} names, expected 5, one for each seat"
        );
        assert!(message.contains(&expected), "{message}");
    }
    let name = |name: &str| refused(json!(["scripted", "random", name, "scripted", "scripted"]));
    assert!(name("").contains("`bots[2]` is empty, expected a name or path of 1 to 4096 characters"));
    assert!(name(EVIL).contains("`bots[2]` is `\\u{1b}]0;title\\u{7}"));
    assert!(name(&"x".repeat(5000)).contains("`bots[2]` has 5000 characters"));
    assert!(given(&["replay", "-"], &text_of(&good)).status.success());
}

/// Traces are checked line by line, so that a wrong one is refused before its end is read.
#[test]
fn a_trace_is_refused_at_its_first_wrong_line() {
    let mut bad = text_of(&trace());
    bad.extend(b"{}\n".repeat(3_000_000));
    let (code, message) = failure(&given(&["replay", "-"], &bad));
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("the session was over before this line"), "{message}");
    let mut bad = trace();
    bad[2]["round"] = json!(9);
    let mut bad = text_of(&bad);
    bad.extend(b"no JSON\n");
    let (_, message) = failure(&given(&["replay", "-"], &bad));
    assert!(message.contains("line 3: "), "{message}");
}
