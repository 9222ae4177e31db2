//! The page of watched runs, and its sessions.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const TINY: &str = "tests/train/tiny.toml";
/// How long a test waits for something that must happen.
const PATIENCE: Duration = Duration::from_secs(120);

fn cardsharp(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardsharp")).args(words).output().expect("the command runs")
}

fn begin(words: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardsharp"));
    command.args(words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command starts")
}

fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_there() {
        assert!(begun.elapsed() < PATIENCE, "no {what} after two minutes");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The server of a page of runs. Dropping it kills the server.
struct Watching {
    server: Child,
    address: String,
}

impl Watching {
    fn begin(words: &[&str]) -> Self {
        let words = [&["watch", "--listen", "127.0.0.1:0", "--json"], words].concat();
        let mut server = begin(&words);
        let mut line = String::new();
        let said = server.stdout.as_mut().expect("piped");
        BufReader::new(said).read_line(&mut line).expect("a line");
        let line: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line["line"], "serving");
        let address = line["address"].as_str().expect("an address").to_owned();
        Self { server, address }
    }

    /// Sends a request; returns status, head and body.
    fn ask(&self, method: &str, path: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let host = &self.address;
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            .expect("asked");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head.to_lowercase(), body.to_owned())
    }

    fn get(&self, path: &str) -> String {
        let (status, _, body) = self.ask("GET", path);
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Requests a missing path; returns status and message.
    fn missing(&self, path: &str) -> (u16, String) {
        let (status, _, body) = self.ask("GET", path);
        (status, body)
    }

    /// Ends the server with a signal; returns its exit code.
    fn end(mut self) -> Option<i32> {
        signal(&self.server);
        self.server.wait().expect("it ends").code()
    }
}

fn signal(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(kill.success());
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.server.kill();
    }
}

#[test]
fn a_run_is_watched_to_its_end_and_its_sessions_follow_the_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let words =
        ["train", TINY, "--set", "iterations=300", "--set", "evaluate.every=100", "--run", text(&run)];
    let mut training = begin(&words);
    wait_for("run", || run.join("config.toml").is_file());
    let watching = Watching::begin(&[text(&run), "--every", "9"]);
    let page = watching.get("/");
    let state = |state: &str| format!("<span class=\"state\">{state}</span>");
    assert!(page.contains(&state("running")), "{page}");
    assert!(page.contains("data-every=\"9\"") && page.contains("<noscript>"));
    assert!(watching.get("/page.js").contains("/body"));
    assert!(watching.get("/style.css").contains(".facts"));

    assert!(training.wait().expect("it ends").success());
    let body = watching.get("/body");
    assert!(body.contains(&state("finished")), "{body}");
    for said in ["300 of 300", "Sessions of iteration 300 against itself, 4 players", "against random"] {
        assert!(body.contains(said), "{said} is missing: {body}");
    }
    // The trace is that of `cardsharp trace`, and follows the rules.
    let trace = watching.get("/runs/0/games/300/2.jsonl");
    assert_eq!(watching.get("/runs/0/games/300/2.jsonl"), trace, "kept");
    let file = folder.path().join("session.jsonl");
    std::fs::write(&file, &trace).expect("a file");
    let replayed = cardsharp(&["replay", text(&file)]);
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stderr));
    let checkpoint = run.join("checkpoints/00000300");
    let words = ["trace", "dalmuti", "--bots", text(&checkpoint), "--seed", "2", "--rounds", "2"];
    let written = cardsharp(&[&words[..], &["--players", "4", "--set", "strip=\"recommended\""]].concat());
    assert_eq!(String::from_utf8_lossy(&written.stdout), trace);

    for (path, words) in [
        (
            "/runs/0/games/299/1.jsonl",
            "there is no checkpoint of iteration 299: the newest is of iteration 300",
        ),
        ("/runs/0/games/300/0.jsonl", "there is no session 0: expected 1 to 3"),
        ("/runs/0/games/300/4.jsonl", "there is no session 4: expected 1 to 3"),
        ("/runs/1/games/300/1.jsonl", "there is no run 1: expected 0 to 0"),
        ("/runs/0/config.toml", "there is no `/runs/0/config.toml` here"),
        ("/../../etc/passwd", "there is no `/../../etc/passwd` here"),
        ("/runs/0/games/../../config.toml", "there is no"),
        ("/page/", "there is no `/page/` here"),
    ] {
        let (status, said) = watching.missing(path);
        assert!(status == 404 && said.starts_with(words), "{path}: {status} {said}");
    }
    let (status, head, _) = watching.ask("POST", "/");
    assert!(status == 405 && head.contains("allow: get, head"), "{head}");
    let (_, head, _) = watching.ask("GET", "/");
    assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{head}");

    // Watching does not block training. A removed run is shown as gone.
    assert!(cardsharp(&["train", "--resume", text(&run), "--json"]).status.success());
    std::fs::remove_dir_all(&run).expect("a folder");
    assert!(watching.get("/body").contains(&state("gone")));
    assert_eq!(watching.missing("/runs/0/games/300/1.jsonl").0, 404);
    assert_eq!(watching.end(), Some(0));
}

#[test]
fn runs_are_compared_and_a_table_is_served_besides() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two, page] = ["one", "two", "page"].map(|name| folder.path().join(name));
    for (run, clip) in [(&one, "0.1"), (&two, "0.3")] {
        let clip = format!("ppo.clip={clip}");
        let words = ["train", TINY, "--set", "iterations=2", "--set", &clip, "--run", text(run)];
        assert!(cardsharp(&words).status.success());
    }
    std::fs::create_dir(&page).expect("a folder");
    std::fs::write(page.join("index.html"), "<!doctype html>the table").expect("a file");
    let watching = Watching::begin(&[text(&one), text(&two), "--page", text(&page)]);
    let body = watching.get("/body");
    for said in [
        "The Great Dalmuti: settings that differ",
        "<th scope=\"row\">ppo.<wbr/>clip<wbr/></th><td>0.1</td><td>0.3</td>",
        "The Great Dalmuti: runs compared, against random",
        "href=\"/page/#trace=..%2Fruns%2F1%2Fgames%2F2%2F3.jsonl\"",
    ] {
        assert!(body.contains(said), "{said} is missing: {body}");
    }
    assert!(!body.contains("epochs<wbr/></th>"));
    assert_eq!(watching.get("/page/"), "<!doctype html>the table");
    assert!(watching.missing("/page/..%2fone%2fconfig.toml").0 == 404);
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = text(folder.path());
    let nowhere = folder.path().join("nowhere");
    let refused = |words: &[&str]| {
        let output = cardsharp(&[&["watch"], words].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = refused(&[text(&nowhere)]);
    assert!(said.contains("the folder does not exist; expected a run folder"), "{said}");
    assert!(refused(&[path]).contains("it has no config.toml"));
    std::fs::write(folder.path().join("config.toml"), "game = \"dalmuti\"\n").expect("a file");
    let said = refused(&[path]);
    assert!(said.contains("config.toml: the file was edited after the run started: its last line"), "{said}");
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints/dalmuti");
    let said = refused(&[text(&shipped), "--listen", "0.0.0.0:8039"]);
    assert!(said.contains("can be reached from other machines") && said.contains("ssh -L 8039"), "{said}");
    let said = refused(&[text(&shipped), "--listen", "127.0.0.1:0", "--page", text(&nowhere)]);
    assert!(said.contains("has no index.html"), "{said}");
}
