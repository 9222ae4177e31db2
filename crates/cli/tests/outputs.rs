//! Output of commands: files, links, devices and standard output, and what is left after a failure or a signal.

use std::fs;
use std::path::Path;

use crate::typed::{cardsharp, failure, json_lines, success};
use serde_json::Value;

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// Returns a folder with the result of a contest in `contest.json`.
fn contest() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("contest.json");
    let said =
        success(&format!("arena dalmuti --bots scripted,random --deals 4 --json --to {}", text(&to)), "");
    assert_eq!(said, "");
    folder
}

#[test]
fn a_result_goes_to_a_file_instead_of_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("result");
    let record = success("trace taki --seat 2 --seed 7", "");
    for (words, input) in [
        ("trace dalmuti --seed 7 --rounds 3", ""),
        ("describe dalmuti --json", ""),
        ("describe dalmuti --schema", ""),
        ("arena dalmuti --bots scripted,random --deals 4 --random-rules 2", ""),
        ("observe taki --each", record.as_str()),
        ("solve kuhn --help", ""),
    ] {
        if words.ends_with("--help") {
            assert!(success(words, input).contains("--to <FILE>"), "{words}");
            continue;
        }
        let printed = success(&format!("{words} --to -"), input);
        assert!(!printed.is_empty());
        // A table with the time that a command took differs from run to run.
        let timeless =
            |text: &str| text.lines().filter(|line| !line.contains(" s")).collect::<Vec<_>>().join("\n");
        assert_eq!(success(&format!("{words} --to {}", text(&to)), input), "", "{words}");
        assert_eq!(timeless(&fs::read_to_string(&to).expect("a result")), timeless(&printed), "{words}");
    }
    let solved = success(&format!("solve kuhn --iterations 5 --json --to {}", text(&to)), "");
    let value: Value = serde_json::from_str(&fs::read_to_string(&to).expect("a result")).expect("JSON");
    assert_eq!((solved.as_str(), &value["game"]), ("", &Value::from("kuhn")));
    // A failure keeps the old result.
    let (code, _) = failure(&format!("trace dalmuti --bots no-such-bot --to {}", text(&to)), "");
    assert_eq!((code, names(folder.path())), (Some(2), vec!["result".to_owned()]));
    assert_eq!(
        serde_json::from_str::<Value>(&fs::read_to_string(&to).expect("a result")).expect("JSON"),
        value
    );
    let nowhere = folder.path().join("no/file");
    let (code, message) = failure(&format!("trace dalmuti --to {}", text(&nowhere)), "");
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("does not exist"), "{message}");
}

#[test]
fn a_dash_is_standard_output_or_input() {
    let folder = contest();
    let contest = folder.path().join("contest.json");
    let page = success(&format!("report {} --to -", text(&contest)), "");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    let trace = success("trace taki --seed 7", "");
    let page = success("review - --deals 2 --playouts 2 --to -", &trace);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    assert_eq!(names(folder.path()), ["contest.json"]);

    let rules = "players = 5\n";
    let lines = json_lines(&success("trace dalmuti --rules -", rules));
    assert_eq!(lines[0]["players"], 5);
    let (code, message) = failure("trace dalmuti --rules -", "player = 5\n");
    assert!(code == Some(2) && message.contains("standard input"), "{message}");

    for (words, expected) in [
        (format!("report {} --json --to -", text(&contest)), "--to cannot be -: expected a file"),
        ("play kuhn --trace -".to_owned(), "--trace cannot be -: expected a file"),
        ("export dalmuti --to -".to_owned(), "invalid value '-' for '--to <DIR>': expected a folder"),
        ("dataset kuhn --to -".to_owned(), "invalid value '-' for '--to <DIR>': expected a folder"),
    ] {
        let (code, message) = failure(&words, "");
        assert!(code == Some(2) && message.contains(expected), "{words}: {message}");
    }
}

/// A configuration from standard input: mistakes are found before a folder is created.
#[cfg(feature = "train")]
#[test]
fn a_configuration_comes_on_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let tiny = fs::read_to_string("tests/train/tiny.toml").expect("a configuration");
    let line = format!("train - --set iterations=1 --run {}", text(&run));
    success(&line, &tiny);
    assert!(run.join("bundle/manifest.json").is_file());
    let (code, message) = failure("train -", "gam = 1\n");
    assert!(code == Some(2) && message.contains("did you mean `game`"), "{message}");
}

#[test]
fn a_session_is_recorded_before_the_first_move_and_as_it_goes() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("game.jsonl");
    let line = format!("play tahimi --seed 9 --json --trace {}", text(&to));
    let play = |line: &str, input: &str| {
        let output = cardsharp(line, input);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let trace = || fs::read_to_string(&to).expect("a trace");
    play(&line, "#1\n#1\n/quit\n");
    let straight = trace();
    // An earlier session stays unless `--overwrite` is set.
    let (code, message) = failure(&line, "");
    assert_eq!(code, Some(2));
    assert_eq!(
        message,
        format!(
            "error: {} already holds a session: pass --overwrite to replace it, or name another file with --trace\n",
            text(&to)
        )
    );
    assert_eq!(trace(), straight);
    // Moves that were taken back are not in the trace.
    let again = format!("{line} --overwrite");
    play(&again, "#1\n/undo\n#1\n#2\n/undo\n#1\n/quit\n");
    assert_eq!(trace(), straight);
    // Players who join change the header, even after rounds were written.
    play(&format!("{again} --rounds 3"), &format!("{}join\n{}", "#1\n".repeat(200), "#1\n".repeat(400)));
    let summary = success(&format!("replay {} --unfinished --json", text(&to)), "");
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    assert!(summary["trace"]["decisions"].as_u64() > Some(10), "{summary}");
    // An empty file contains no session.
    fs::write(&to, "").expect("a file");
    play(&line, "/quit\n");
    assert_eq!(json_lines(&trace())[0]["line"], "header");
    let (code, message) = failure("play kuhn --overwrite", "");
    assert!(code == Some(2) && message.contains("--trace <FILE>"), "{message}");
}

#[cfg(unix)]
mod unix {
    #[cfg(feature = "serve")]
    use std::io::Read;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(120);

    fn signal(name: &str, child: &Child) {
        let kill = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill");
        assert!(kill.success());
    }

    fn begin(words: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_cardsharp"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts")
    }

    #[test]
    fn every_command_follows_links_and_keeps_modes() {
        let folder = contest();
        let [contest, file, link] = ["contest.json", "file", "link"].map(|name| folder.path().join(name));
        symlink("file", &link).expect("a link");
        let trace = folder.path().join("game.jsonl");
        fs::write(&trace, success("trace kuhn --seed 7", "")).expect("a trace");
        for words in [
            format!("report {} --to", text(&contest)),
            format!("review {} --deals 2 --playouts 2 --to", text(&trace)),
            "trace kuhn --to".to_owned(),
            "play kuhn --overwrite --trace".to_owned(),
        ] {
            fs::write(&file, "old").expect("a file");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("a mode");
            let output = cardsharp(&format!("{words} {}", text(&link)), "quit\n");
            assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
            assert_ne!(fs::read_to_string(&file).expect("a file"), "old", "{words}");
            assert_eq!(file.metadata().expect("a file").permissions().mode() & 0o777, 0o600, "{words}");
            assert!(link.symlink_metadata().expect("a link").is_symlink(), "{words}");
        }
        assert_eq!(names(folder.path()), ["contest.json", "file", "game.jsonl", "link"]);
    }

    #[test]
    fn every_command_writes_to_fifos() {
        let folder = contest();
        let [contest, fifo] = ["contest.json", "fifo"].map(|name| folder.path().join(name));
        assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        for words in [
            format!("report {} --to", text(&contest)),
            "trace kuhn --to".to_owned(),
            "play kuhn --trace".to_owned(),
        ] {
            let reader = thread::spawn({
                let fifo = fifo.clone();
                move || fs::read_to_string(fifo).expect("a text")
            });
            let output = cardsharp(&format!("{words} {}", text(&fifo)), "quit\n");
            assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
            let read = reader.join().expect("a reader");
            assert!(
                read.starts_with("<!DOCTYPE html>") || read.starts_with("{\"line\":\"header\""),
                "{read}"
            );
            assert!(fifo.symlink_metadata().expect("a FIFO").file_type().is_fifo(), "{words}");
        }
    }

    /// Through a link, so that a bug cannot replace the device of this machine.
    #[test]
    fn a_full_device_is_reported() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("full");
        symlink("/dev/full", &link).expect("a link");
        let (code, message) = failure(&format!("trace kuhn --to {}", text(&link)), "");
        assert_eq!(code, Some(1));
        assert!(
            message.starts_with(&format!("error: cannot write {}: No space left", text(&link))),
            "{message}"
        );
        assert!(link.symlink_metadata().expect("a link").is_symlink());
    }

    /// No user can create a file in `/proc`.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_session_that_cannot_be_recorded_is_not_begun() {
        let output = cardsharp("play kuhn --seed 3 --trace /proc/game.jsonl", "#1\n");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.starts_with("error: cannot write /proc/game.jsonl: "), "{message}");
    }

    #[test]
    fn a_crash_loses_no_move_that_was_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let trace = folder.path().join("game.jsonl");
        let mut child = begin(&["play", "dalmuti", "--plain", "--seed", "3", "--trace", text(&trace)]);
        let mut said = BufReader::new(child.stdout.take().expect("piped"));
        let mut input = child.stdin.take().expect("piped");
        for _ in 0..3 {
            let mut line = Vec::new();
            while !line.ends_with(b"Your move: ") {
                assert!(said.read_until(b' ', &mut line).expect("its output") > 0, "it waits for a move");
            }
            input.write_all(b"#1\n").expect("it reads");
        }
        // Two moves were played and shown. The third may have been read.
        child.kill().expect("a kill");
        child.wait().expect("an end");
        let replay = success(&format!("replay {} --unfinished --json", text(&trace)), "");
        let replay: Value = serde_json::from_str(&replay).expect("JSON");
        assert!(replay["trace"]["decisions"].as_u64() >= Some(2), "{replay}");
    }

    #[test]
    fn a_signal_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("game.jsonl");
        for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
            // This takes longer than any test waits.
            let words = ["trace", "taki", "--bots", "search:100000", "--rounds", "1000", "--to", text(&to)];
            let mut child = begin(&words);
            let begun = Instant::now();
            while names(folder.path()) != [".writing-game.jsonl"] {
                assert!(begun.elapsed() < PATIENCE, "it begins");
                thread::sleep(Duration::from_millis(5));
            }
            signal(name, &child);
            assert_eq!(child.wait().expect("an end").signal(), Some(number));
            assert_eq!(names(folder.path()), Vec::<String>::new());
        }
    }

    /// At any moment of a signal, the bundle is the old or the new one.
    #[cfg(feature = "train")]
    #[test]
    fn an_interrupted_export_leaves_no_temporary_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("bundle");
        let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/dalmuti/bot/bot.safetensors");
        let words = ["export", bot, "--to", text(&to)];
        let begun = Instant::now();
        assert!(begin(&words).wait().expect("an end").success());
        let (whole, tries) = (begun.elapsed(), 12);
        let expected = names(&to);
        for number in 0..tries {
            let mut child = begin(&words);
            thread::sleep(whole * number / tries);
            signal(if number % 2 == 0 { "-INT" } else { "-TERM" }, &child);
            child.wait().expect("an end");
            assert_eq!((names(folder.path()), names(&to)), (vec!["bundle".to_owned()], expected.clone()));
        }
        assert!(cardsharp(&format!("verify {}", text(&to)), "").status.success());
    }

    /// Runs the command after `ulimit -f BLOCKS`.
    fn limited(blocks: u32, line: &str) -> std::process::Output {
        let script = format!("ulimit -f {blocks}; exec {} {line}", env!("CARGO_BIN_EXE_cardsharp"));
        Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().expect("the command runs")
    }

    #[test]
    fn a_file_that_is_too_large_is_reported_like_a_full_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("game.jsonl");
        let too_large = |line: &str, expected: &str| {
            let output = limited(8, line);
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{line}: {:?}: {message}", output.status);
            assert!(message.starts_with(expected) && message.contains("File too large"), "{line}: {message}");
        };
        let file = text(&to);
        too_large(
            &format!("trace dalmuti --rounds 20 --to {file}"),
            &format!("error: cannot write {file}: "),
        );
        assert_eq!(names(folder.path()), Vec::<String>::new());
        too_large(&format!("trace dalmuti --rounds 20 > {file}"), "error: cannot write to standard output: ");
        #[cfg(feature = "dataset")]
        {
            let data = folder.path().join("data");
            let shard = text(&data).to_owned() + "/shard-00000.parquet";
            too_large(
                &format!("dataset dalmuti --sessions 20 --to {}", text(&data)),
                &format!("error: cannot write {shard}: "),
            );
            assert_eq!(names(&data), Vec::<String>::new());
        }
    }

    /// Starts a server with these options, after a command of the shell. Returns it with its address.
    #[cfg(feature = "serve")]
    fn serving(first: &str, options: &str, data: &Path) -> (Child, String) {
        let serve = format!("serve --json --listen 127.0.0.1:0 {options} --data {}", text(data));
        let mut server = Command::new("sh")
            .args(["-c", &format!("{first}; exec {} {serve}", env!("CARGO_BIN_EXE_cardsharp"))])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut line = String::new();
        BufReader::new(server.stdout.as_mut().expect("piped")).read_line(&mut line).expect("a line");
        let line: Value = serde_json::from_str(&line).expect("JSON");
        (server, line["address"].as_str().expect("an address").to_owned())
    }

    /// Asks a server to open a table. Returns its answer.
    #[cfg(feature = "serve")]
    fn open_table(address: &str) -> String {
        let mut stream = std::net::TcpStream::connect(address).expect("a connection");
        let body = r#"{"game":"kuhn","seats":[{"person":"Ann"},{"bot":"scripted"}]}"#;
        write!(
            stream,
            "POST /v1/tables HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    #[test]
    #[cfg(feature = "serve")]
    fn files_of_a_server_are_for_its_user_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        // A folder of an older version.
        fs::create_dir_all(data.join("saves")).expect("a folder");
        fs::set_permissions(data.join("saves"), fs::Permissions::from_mode(0o755)).expect("permissions");
        let (mut server, address) = serving("umask 022", "", &data);
        let answer = open_table(&address);
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        let journals = names(&data.join("tables"));
        assert_eq!(journals.len(), 1);
        for (path, expected) in [
            (data.join("tables"), 0o700),
            (data.join("saves"), 0o700),
            (data.join("lock"), 0o600),
            (data.join("tables").join(&journals[0]), 0o600),
        ] {
            let mode = fs::metadata(&path).expect("a file").permissions().mode() & 0o777;
            assert_eq!(mode, expected, "{}", path.display());
        }
        signal("-INT", &server);
        assert!(server.wait().expect("an end").success());
    }

    #[test]
    #[cfg(feature = "serve")]
    fn a_server_logs_requests_without_their_secrets() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log");
        let first = format!("exec 2>{}", text(&log));
        let (mut server, address) = serving(&first, "--log json", &folder.path().join("data"));
        let mut stream = std::net::TcpStream::connect(&address).expect("a connection");
        write!(
            stream,
            "GET /v1/tables/7/events?ticket=hidden HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer hidden\r\n\
             Connection: close\r\n\r\n"
        )
        .expect("a request");
        stream.read_to_string(&mut String::new()).expect("an answer");
        signal("-TERM", &server);
        assert!(server.wait().expect("an end").success());
        let log = fs::read_to_string(&log).expect("a log");
        assert!(!log.contains("hidden"), "{log}");
        let line: Value = serde_json::from_str(log.lines().next().expect("a line")).expect("JSON");
        let fields =
            ["client", "method", "path", "endpoint", "status", "target"].map(|name| line[name].clone());
        let access = ["127.0.0.1", "GET", "/v1/tables/7/events", "events"].map(Value::from);
        assert_eq!(fields[..4], access, "{log}");
        assert_eq!(fields[4..], [Value::from(404), Value::from("cardsharp::access")], "{log}");
        assert!(line["ms"].is_f64() && line["timestamp"].is_string(), "{log}");
    }

    #[test]
    #[cfg(feature = "serve")]
    fn a_server_survives_a_file_that_is_too_large() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut server, address) = serving("ulimit -f 0", "", folder.path());
        for _ in 0..2 {
            let answer = open_table(&address);
            assert!(answer.starts_with("HTTP/1.1 507 "), "{answer}");
        }
        signal("-INT", &server);
        assert!(server.wait().expect("an end").success());
        assert_eq!(names(&folder.path().join("tables")), Vec::<String>::new());
    }
}

/// Memory does not grow with the number of rounds.
#[cfg(target_os = "linux")]
mod memory {
    use std::io::{Read, Write};
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// Additional memory that a session of ten times as many rounds may use, in kB.
    const MARGIN: u64 = 4096;

    fn begin(words: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_cardsharp"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts")
    }

    /// Returns the peak memory of the process so far, in kB; `None` if it has ended.
    fn peak(child: &Child) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    }

    /// Returns a trace, and the peak memory while it was written. Memory for the last pipe buffer may be missing.
    fn traced(rounds: &str) -> (Vec<u8>, u64) {
        let mut child = begin(&["trace", "dalmuti", "--bots", "scripted", "--rounds", rounds]);
        let mut from = child.stdout.take().expect("piped");
        let (mut trace, mut most, mut bytes) = (Vec::new(), 0, vec![0; 1 << 16]);
        loop {
            most = peak(&child).unwrap_or(0).max(most);
            match from.read(&mut bytes).expect("a trace") {
                0 => break,
                count => trace.extend_from_slice(&bytes[..count]),
            }
        }
        assert!(child.wait().expect("an end").success());
        (trace, most)
    }

    /// Returns the peak memory while a trace is checked. Memory for the last pipe buffer may be missing.
    fn replayed(trace: &[u8]) -> u64 {
        let mut child = begin(&["replay", "-"]);
        let mut to = child.stdin.take().expect("piped");
        let mut most = 0;
        for bytes in trace.chunks(1 << 16) {
            to.write_all(bytes).expect("it reads");
            most = peak(&child).unwrap_or(0).max(most);
        }
        drop(to);
        assert!(child.wait_with_output().expect("an end").status.success());
        most
    }

    #[test]
    fn traces_take_no_more_memory_for_more_rounds() {
        let ((short, few), (long, many)) = (traced("100"), traced("1000"));
        assert!(long.len() > 9 * short.len());
        assert!(few > 0 && many < few + MARGIN, "trace: {few} kB for 100 rounds, {many} kB for 1,000");
        let (few, many) = (replayed(&short), replayed(&long));
        assert!(few > 0 && many < few + MARGIN, "replay: {few} kB for 100 rounds, {many} kB for 1,000");
    }
}
