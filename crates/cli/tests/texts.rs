//! Text from other programs: byte order marks, UTF-16, gzip, blank lines; and paths without text.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Output;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::folder::cardsharp;

const MARK: &str = "\u{feff}";

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

/// Encodes a text like PowerShell's `>`.
fn utf16(text: &str) -> Vec<u8> {
    format!("{MARK}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn stdout(output: Output, what: &str) -> String {
    assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the message of a command that refuses its input.
fn refused(folder: &Path, words: &[&str]) -> String {
    let output = cardsharp(folder, words, None);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
    text
}

/// Returns every form that is read like the text itself.
fn forms(text: &str) -> [Vec<u8>; 4] {
    let ends = text.replace('\n', "\r\n");
    [
        format!("{MARK}{text}").into(),
        format!("{text}\n  \n\n").into(),
        packed(text),
        packed(&format!("{MARK}{ends}\r\n\r\n")),
    ]
}

#[test]
fn every_input_is_read_whatever_wrote_it() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    let make = |words: &[&str]| stdout(cardsharp(folder, words, None), "made");
    let trace = make(&["trace", "leduc", "--seed", "3"]);
    let record = make(&["trace", "leduc", "--seed", "3", "--seat", "0"]);
    // Up to the seat's first decision.
    let asked = record.lines().position(|line| line.contains("\"turn\"")).expect("a decision");
    let record: String = record.lines().take(asked + 1).map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("record.jsonl"), &record).expect("a file");
    let view = make(&["observe", "leduc", "record.jsonl"]);
    let contest = make(&["arena", "leduc", "--bots", "scripted,random", "--deals", "10", "--json"]);
    let inputs: [(&str, &str, &[&str]); 9] = [
        ("trace.jsonl", &trace, &["replay", "trace.jsonl"]),
        ("trace.jsonl", &trace, &["review", "trace.jsonl", "--deals", "2"]),
        ("trace.jsonl", &trace, &["dataset", "--traces", "trace.jsonl", "--to", "data", "--overwrite"]),
        ("record.jsonl", &record, &["observe", "leduc", "record.jsonl"]),
        ("view.json", &view, &["advise", "scripted"]),
        (
            "rules.toml",
            "hands = 2\n",
            &["trace", "dalmuti", "--rules", "rules.toml", "--rounds", "2", "--seed", "1"],
        ),
        ("deal.json", "{\"hands\": [\"Ks\", \"Qs\"]}\n", &["trace", "kuhn", "--deal", "deal.json"]),
        ("contest.json", &contest, &["report", "contest.json", "--to", "page.html"]),
        ("run.toml", "game = \"leduc\"\niterations = 0\n", &["train", "run.toml"]),
    ];
    for (file, text, words) in inputs {
        let answer = |bytes: &[u8]| {
            fs::write(folder.join(file), bytes).expect("a file");
            // The view comes on standard input.
            let input = folder.join(file);
            let output = cardsharp(folder, words, (words[0] == "advise").then_some(&*input));
            let [out, err] =
                [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
            (output.status.code(), out, err)
        };
        let expected = answer(text.as_bytes());
        for (number, form) in forms(text).iter().enumerate() {
            let (code, out, message) = answer(form);
            // The error of an invalid configuration shows the lines around the mistake, which differ in each form.
            if file == "run.toml" {
                assert_eq!(code, Some(2), "{message}");
                assert!(
                    message.contains("run.toml:2:14: `iterations` cannot be 0"),
                    "form {number}: {message}"
                );
            } else {
                // The next lines have the speed.
                let first = |text: &str| text.lines().next().map(str::to_owned);
                let alike =
                    if words[0] == "dataset" { first(&out) == first(&expected.1) } else { out == expected.1 };
                assert!(alike, "{words:?}, form {number}: {out}");
                assert_eq!((code, message), (expected.0, expected.2.clone()), "{words:?}, form {number}");
                assert_eq!(code, Some(0), "{words:?}");
            }
        }
        let (code, _, message) = answer(&utf16(text));
        assert_eq!(code, Some(2), "{words:?}: {message}");
        let name = if words[0] == "advise" { "standard input" } else { file };
        for part in [name, "UTF-16", "Out-File -Encoding utf8"] {
            assert!(message.contains(part), "{words:?}: {message}");
        }
    }
}

#[test]
fn a_packed_trace_on_standard_input_is_unpacked() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    let trace = stdout(cardsharp(folder, &["trace", "leduc", "--seed", "3"], None), "a trace");
    let file = folder.join("trace.jsonl.gz");
    fs::write(&file, packed(&trace)).expect("a file");
    let checked = stdout(cardsharp(folder, &["replay", "-"], Some(&file)), "checked");
    assert!(checked.contains("leduc") || checked.contains("Leduc"), "{checked}");
    // Unpacked text has the same limits: two kilobytes unpack to a line of two megabytes.
    fs::write(&file, packed(&"x".repeat(2 << 20))).expect("a file");
    let message = refused(folder, &["replay", "trace.jsonl.gz"]);
    assert_eq!(message, "error: trace.jsonl.gz: line 1 is too long: expected at most 1048576 bytes\n");
}

#[test]
fn paths_that_lead_to_no_text_are_named_plainly() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    fs::create_dir(folder.join("games")).expect("a folder");
    std::os::unix::fs::symlink("away/trace.jsonl", folder.join("link.jsonl")).expect("a link");
    let commands: [&[&str]; 6] = [
        &["replay"],
        &["review"],
        &["observe", "leduc"],
        &["train"],
        &["trace", "kuhn", "--deal"],
        &["trace", "kuhn", "--rules"],
    ];
    for words in commands {
        let with = |path: &'static str| words.iter().copied().chain([path]).collect::<Vec<_>>();
        let message = refused(folder, &with("games"));
        assert!(
            message.contains("it is a folder; expected a file") && !message.contains("os error"),
            "{message}"
        );
        let message = refused(folder, &with("link.jsonl"));
        assert!(message.contains("it is a link to away/trace.jsonl, which does not exist"), "{message}");
        assert!(!message.contains("did you mean"), "{message}");
    }
}
