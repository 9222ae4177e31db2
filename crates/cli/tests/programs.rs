//! Bot processes that fail, that end, and that are logged: the messages and effects in each command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::folder::{cardsharp, success};

/// How long a test waits for events that are immediate on an idle machine.
const PATIENCE: Duration = Duration::from_secs(120);

const HELLO: &str = r#"read -r hello; echo '{"line":"hello","protocol":1,"name":"sh","wants":[]}'"#;
/// Writes lines that do not follow the protocol.
const GARBAGE: &str = "while read -r line; do echo good day; done";
/// Writes an error, and ends at the first `go`.
const ENDS: &str =
    r#"while read -r line; do case "$line" in '{"line":"go"'*) echo no idea >&2; exit 3;; esac; done"#;
/// Chooses an illegal move at table 1.
const ILLEGAL: &str = r#"while read -r line; do case "$line" in '{"line":"go"'*)
    table=${line#*'"table":'}; table=${table%%,*}; table=${table%\}}
    echo "{\"line\":\"move\",\"table\":$table,\"choice\":\"castle\"}";; esac; done"#;

/// Every kind of failure, with its message.
const BROKEN: [(&str, &str); 3] = [
    (GARBAGE, "`good day` is no line of the protocol"),
    (ENDS, "it ended\n"),
    (ILLEGAL, "`castle` is not legal: expected one of "),
];

/// Writes a bot that says hello and then runs `script`; returns its name.
fn program(folder: &Path, script: &str) -> String {
    fs::write(folder.join("bot.sh"), format!("{HELLO}\n{script}\n")).unwrap();
    "exec:sh bot.sh".to_owned()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Returns the exit code, standard output and standard error.
fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Writes a file with this text.
fn typed(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("typed");
    fs::write(&path, text).unwrap();
    path
}

/// Writes an event log of Leduc poker that ends at a decision.
fn view(folder: &Path) -> PathBuf {
    let trace = cardsharp(folder, &["trace", "leduc", "--seat", "0", "--seed", "3"], None).stdout;
    let record: Vec<&str> = std::str::from_utf8(&trace).unwrap().lines().collect();
    let turn = record.iter().position(|line| line.starts_with("{\"line\":\"turn\"")).unwrap();
    typed(folder, &record[..=turn].join("\n"))
}

#[test]
fn advice_of_a_broken_program_is_refused_with_the_reason() {
    let folder = folder();
    let view = view(folder.path());
    for (script, reason) in BROKEN {
        let bot = program(folder.path(), script);
        for json in [&["--json"][..], &[]] {
            let words = [&["advise", &bot], json].concat();
            let (code, out, message) = said(&cardsharp(folder.path(), &words, Some(&view)));
            assert_eq!((code, out.as_str()), (Some(1), ""), "{message}");
            assert!(
                message.contains(&format!("error: the bot `exec:sh bot.sh` failed: {reason}")),
                "{message}"
            );
            assert!(message.contains("\n  sent: {\"line\":\"go\",\"table\":1"), "{message}");
        }
    }
    let bot = program(folder.path(), ENDS);
    let (.., message) = said(&cardsharp(folder.path(), &["advise", &bot], Some(&view)));
    let end = "\n  process: exit status: 3\n  standard error ends with:\n    no idea\n";
    assert!(message.ends_with(end), "{message}");
}

#[test]
fn play_ends_with_the_reason_and_keeps_what_was_played() {
    let folder = folder();
    let input = typed(folder.path(), &"#1\n".repeat(50));
    for (script, reason) in BROKEN {
        let bot = program(folder.path(), script);
        let words =
            ["play", "leduc", "--against", &bot, "--seed", "3", "--seat", "0", "--trace", "left.jsonl"];
        for json in [&["--json"][..], &["--plain"]] {
            let (code, out, message) =
                said(&cardsharp(folder.path(), &[&words, json].concat(), Some(&input)));
            assert_eq!(code, Some(1), "{out}{message}");
            assert!(message.contains(&format!("error: the bot `{bot}` failed: {reason}")), "{message}");
            let trace = fs::read_to_string(folder.path().join("left.jsonl")).unwrap();
            let header: Value = serde_json::from_str(trace.lines().next().unwrap()).unwrap();
            assert_eq!(header["bots"], json!(["you", bot]));
            let decisions = trace.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            let seats: Vec<Value> = decisions
                .filter(|line| line["line"] == "decision")
                .map(|line| line["seat"].clone())
                .collect();
            assert!(seats.iter().all(|seat| *seat == 0), "{trace}");
            fs::remove_file(folder.path().join("left.jsonl")).unwrap();
        }
    }
}

#[test]
fn hints_of_a_broken_program_are_refused_however_often_one_asks() {
    let folder = folder();
    let input = typed(folder.path(), &format!("{}/quit\n", "/hint\n".repeat(5)));
    for (script, reason) in BROKEN {
        let bot = program(folder.path(), script);
        let words = ["play", "leduc", "--json", "--seed", "3", "--hints", &bot];
        let (code, out, _) = said(&cardsharp(folder.path(), &words, Some(&input)));
        assert_eq!(code, Some(0), "{out}");
        let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let refused: Vec<&str> = lines
            .iter()
            .filter(|line| line["line"] == "refused")
            .filter_map(|line| line["text"].as_str())
            .collect();
        assert_eq!(refused.len(), 5, "{out}");
        assert!(
            refused
                .iter()
                .all(|text| text.starts_with("There is no hint: the bot `exec:sh bot.sh` failed: "))
        );
        assert!(refused[0].contains(reason.trim_end()), "{}", refused[0]);
        assert!(lines.iter().all(|line| line["line"] != "hint"), "{out}");
    }
}

#[test]
fn a_trace_ends_where_a_program_fails_and_a_process_of_ours_answers_with_an_error() {
    let folder = folder();
    for (script, reason) in BROKEN {
        let bot = program(folder.path(), script);
        let bots = format!("scripted,{bot}");
        let words = ["trace", "leduc", "--bots", &bots, "--seed", "3"];
        let (code, out, message) = said(&cardsharp(folder.path(), &words, None));
        assert_eq!(code, Some(1), "{message}");
        assert!(message.contains(&format!("the bot `{bot}` failed: {reason}")), "{message}");
        let lines = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        assert!(lines.filter(|line| line["line"] == "decision").all(|line| line["seat"] == 0), "{out}");

        let record = fs::read_to_string(view(folder.path())).unwrap();
        let heard = record.lines().map(|line| line.replacen('{', "{\"table\":4,", 1) + "\n");
        let input = typed(folder.path(), &(heard.collect::<String>() + "{\"line\":\"go\",\"table\":4}\n"));
        let (code, out, _) = said(&cardsharp(folder.path(), &["bot", &bot], Some(&input)));
        let answer: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
        assert_eq!((code, &answer["line"], &answer["table"]), (Some(0), &json!("error"), &json!(4)));
        assert!(answer["problem"].as_str().unwrap().contains(reason.trim_end()), "{answer}");
    }
}

#[test]
fn contests_count_faults_and_show_the_first_in_text_json_and_page() {
    let folder = folder();
    let bot = program(folder.path(), ILLEGAL);
    let bots = format!("{bot},random");
    let words = ["arena", "leduc", "--bots", &bots, "--deals", "4", "--threads", "2"];
    let report = success(folder.path(), &[&words[..], &["--json"]].concat(), None);
    let illegal = report["bots"][0]["faults"]["illegal"].as_u64().unwrap();
    assert!(illegal > 4);
    let fault = &report["bots"][0]["first_fault"];
    assert!(fault["sent"].as_str().unwrap().starts_with("{\"line\":\"go\",\"table\":1,"), "{fault}");
    assert_eq!(fault["answer"], r#"{"line":"move","table":1,"choice":"castle"}"#);
    assert!(report["bots"][1].get("first_fault").is_none());

    let (code, out, _) = said(&cardsharp(folder.path(), &words, None));
    assert_eq!(code, Some(0));
    assert!(
        out.contains(&format!("{bot}: {illegal} of its moves were drawn at random: {illegal} illegal")),
        "{out}"
    );
    assert!(out.contains("The first fault: `castle` is not legal: expected one of "), "{out}");

    fs::write(folder.path().join("contest.json"), report.to_string()).unwrap();
    success(folder.path(), &["report", "contest.json", "--to", "page.html", "--json"], None);
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("<h3>Faults</h3>") && page.contains("`castle` is not legal"), "faults are missing");
}

#[test]
fn a_dataset_names_programs_that_did_not_choose_their_moves() {
    let folder = folder();
    let bot = program(folder.path(), ILLEGAL);
    let bots = format!("scripted,{bot}");
    let words = ["dataset", "leduc", "--bots", &bots, "--sessions", "4", "--to"];
    let written = success(folder.path(), &[&words[..], &["one", "--json"]].concat(), None);
    let programs = written["programs"].as_array().unwrap();
    assert_eq!((programs.len(), &programs[0]["name"]), (1, &json!(bot)));
    assert!(programs[0]["faults"]["illegal"].as_u64() > Some(0), "{written}");
    assert!(programs[0]["first_fault"]["problem"].as_str().unwrap().starts_with("`castle` is not legal"));
    let (_, out, _) = said(&cardsharp(folder.path(), &[&words[..], &["two"]].concat(), None));
    assert!(out.contains(&format!("{bot}: ")) && out.contains("drawn at random: "), "{out}");
    let plain =
        success(folder.path(), &["dataset", "leduc", "--sessions", "1", "--to", "three", "--json"], None);
    assert!(plain.get("programs").is_none(), "{plain}");
}

#[test]
fn a_log_has_the_conversation_and_one_that_cannot_be_written_is_an_error() {
    let folder = folder();
    let bot = program(folder.path(), ENDS);
    let view = view(folder.path());
    let (code, ..) = said(&cardsharp(folder.path(), &["advise", &bot, "--log", "talk.log"], Some(&view)));
    assert_eq!(code, Some(1));
    let log = fs::read_to_string(folder.path().join("talk.log")).unwrap();
    let lines: Vec<&str> =
        log.lines().filter_map(|line| line.split_once(" 1 ").map(|(_, said)| said)).collect();
    assert!(lines[0].starts_with("= started [\"sh\", \"bot.sh\"], process id "), "{log}");
    assert!(lines[1].starts_with("> {\"line\":\"hello\""), "{log}");
    for said in
        [r#"< {"line":"hello","protocol":1,"name":"sh","wants":[]}"#, "! no idea", "= ended: exit status: 3"]
    {
        assert!(lines.contains(&said), "{said}: {log}");
    }
    assert!(lines.iter().any(|said| said.starts_with("> {\"line\":\"go\",\"table\":1")), "{log}");

    let refused =
        |path: &str| said(&cardsharp(folder.path(), &["advise", "scripted", "--log", path], Some(&view)));
    let (code, _, message) = refused("nowhere/talk.log");
    assert_eq!(
        (code, message.as_str()),
        (Some(2), "error: cannot write nowhere/talk.log: the folder nowhere does not exist\n")
    );
    if cfg!(target_os = "linux") {
        let words = ["trace", "leduc", "--bots", "exec:sh bot.sh,scripted", "--log", "/dev/full"];
        program(folder.path(), ILLEGAL);
        let (code, _, message) = said(&cardsharp(folder.path(), &words, None));
        // The failure of the bot is reported first. Without one, the error of the log is reported at the end.
        assert!(code == Some(1) && message.contains("castle"), "{message}");
        let own = format!("exec:{} bot scripted,scripted", env!("CARGO_BIN_EXE_cardsharp"));
        let words = ["trace", "leduc", "--bots", &own, "--log", "/dev/full"];
        let (code, _, message) = said(&cardsharp(folder.path(), &words, None));
        assert_eq!(code, Some(1), "{message}");
        assert!(message.starts_with("error: cannot write /dev/full: "), "{message}");
    }
}

#[test]
fn a_process_of_ours_passes_over_what_is_harmless_and_names_another_version() {
    let folder = folder();
    let input = typed(
        folder.path(),
        "\u{feff}\n{\"line\":\"Hello\",\"protocol\":1,\"program\":\"me\",\"version\":\"1\"}\n \r\n\
         {\"line\":\"ping\",\"id\":NaN}\n{\"line\":\"hello\",\"protocol\":3,\"features\":[]}\n",
    );
    let (code, out, _) = said(&cardsharp(folder.path(), &["bot", "scripted"], Some(&input)));
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, answers.len()), (Some(0), 3), "{out}");
    assert_eq!((&answers[0]["line"], &answers[1]), (&json!("hello"), &json!({ "line": "pong", "id": null })));
    let problem = "the table speaks protocol 3; expected 1";
    assert_eq!(answers[2], json!({ "line": "error", "input": 5, "problem": problem }));
}

/// Waits until `look` returns a value.
fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "no {what} after two minutes");
        sleep(Duration::from_millis(20));
    }
}

/// Whether a process with this number is running.
fn runs(process: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", process]).output().unwrap().stdout;
    let state = String::from_utf8(state).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args(["-s", name, &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Starts a contest with a bot that never answers, and that has started another process. Returns the numbers of both
/// processes, too.
fn thinking(folder: &Path) -> (Child, Vec<String>) {
    let thinks = "sleep 1000 & echo $! > grandchild\necho $$ > child\nwhile :; do sleep 1; done";
    let bots = format!("{},scripted", program(folder, thinks));
    let contest = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(["arena", "leduc", "--bots", &bots, "--timeout", "1000", "--deals", "1"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let number = |file: &str| {
        wait(file, || fs::read_to_string(folder.join(file)).ok().filter(|text| text.ends_with('\n')))
            .trim()
            .to_owned()
    };
    (contest, vec![number("child"), number("grandchild")])
}

#[test]
fn programs_end_with_the_process_that_started_them() {
    for name in ["KILL", "TERM"] {
        let folder = folder();
        let (mut contest, processes) = thinking(folder.path());
        assert!(processes.iter().all(|process| runs(process)), "{processes:?}");
        signal(name, contest.id());
        assert!(!contest.wait().unwrap().success());
        for process in &processes {
            wait("end of a program", || (!runs(process)).then_some(()));
        }
    }
}

#[test]
fn a_program_that_is_late_ends_with_all_that_it_started() {
    let folder = folder();
    let thinks = "sleep 1000 & echo $! > grandchild\nwhile :; do sleep 1; done";
    let bots = format!("{},scripted", program(folder.path(), thinks));
    let words = ["arena", "leduc", "--bots", &bots, "--timeout", "1", "--deals", "1", "--json"];
    let report = success(folder.path(), &words, None);
    assert_eq!(report["bots"][0]["faults"]["late"], 3);
    assert_eq!(report["bots"][0]["first_fault"]["problem"], "it gave no answer within 1s");
    let process = fs::read_to_string(folder.path().join("grandchild")).unwrap();
    wait("end of a program", || (!runs(process.trim())).then_some(()));
}
