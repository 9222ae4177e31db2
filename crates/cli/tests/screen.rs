//! The full screen in a real terminal.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cardsharp_env::GAMES;
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize};
use serde_json::Value;

/// Long enough for any session here, on any machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// Opens the alternate screen.
const OPENED: &str = "\x1b[?1049h";
/// Hides the cursor, and shows it.
const HIDDEN: &str = "\x1b[?25l";
const SHOWN: &str = "\x1b[?25h";
/// Closes the alternate screen.
const CLOSED: &str = "\x1b[?1049l";

/// Opens a terminal; returns the end of the person, and that of the program.
pub(crate) fn open() -> (File, File) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    // If the command inherited the person's end, its terminal would never close.
    fcntl_setfd(&master, FdFlags::CLOEXEC).expect("a terminal");
    grantpt(&master).expect("a terminal");
    unlockpt(&master).expect("a terminal");
    let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("UTF-8");
    let terminal = OpenOptions::new().read(true).write(true).open(name).expect("its other end");
    // Otherwise Ctrl-C discards output that was not read yet.
    let mut modes = tcgetattr(&terminal).expect("modes");
    modes.local_modes |= LocalModes::NOFLSH;
    tcsetattr(&terminal, OptionalActions::Now, &modes).expect("modes");
    (File::from(master), terminal)
}

fn start(line: &str, term: &str, terminal: &File) -> Child {
    let end = || terminal.try_clone().expect("a copy");
    Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(line.split_whitespace())
        .env("TERM", term)
        // Sessions without `--trace` are saved there.
        .env("XDG_DATA_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/data"))
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        // Like a shell: Ctrl-Z suspends the command and not the tests.
        .process_group(0)
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .expect("the command starts")
}

/// A command in a terminal.
struct Played {
    child: Child,
    keys: File,
    /// The program's end of the terminal.
    terminal: File,
    written: Arc<Mutex<Vec<u8>>>,
    /// Reads until all copies of the program's end are closed.
    reader: JoinHandle<()>,
}

impl Played {
    fn begin(line: &str, term: &str) -> Self {
        let (keys, terminal) = open();
        let child = start(line, term, &terminal);
        let (mut screen, written) = (keys.try_clone().expect("a copy"), Arc::new(Mutex::new(Vec::new())));
        let to = Arc::clone(&written);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when the last copy of the program's end is closed.
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                to.lock().expect("no panic").extend_from_slice(&bytes[..count]);
            }
        });
        let mut played = Self { child, keys, terminal, written, reader };
        played.resize(80, 24);
        played
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        let size = Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.keys, size).expect("another size");
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    fn written(&self) -> String {
        String::from_utf8_lossy(&self.written.lock().expect("no panic")).into_owned()
    }

    /// Waits until the output contains this text.
    fn await_text(&self, text: &str) {
        self.await_that(|written| written.contains(text));
    }

    /// Waits until the output fulfills a condition.
    fn await_that(&self, holds: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !holds(&self.written()) {
            assert!(begun.elapsed() < PATIENCE, "{}", self.written());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Presses a key repeatedly until the command has ended. It must restore the terminal.
    fn end(mut self, key: &str) -> (ExitStatus, String) {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            if begun.elapsed() > PATIENCE {
                self.child.kill().expect("a child");
                panic!("it continues: {}", self.written());
            }
            self.press(key);
            std::thread::sleep(Duration::from_millis(5));
        };
        let modes = tcgetattr(&self.terminal).expect("modes").local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG), "{modes:?}");
        // The reader may still have to receive the last output.
        drop(self.terminal);
        self.reader.join().expect("no panic");
        let written = String::from_utf8_lossy(&self.written.lock().expect("no panic")).into_owned();
        assert!(written.rfind(OPENED) < written.rfind(CLOSED), "{written}");
        assert!(written.rfind(HIDDEN) < written.rfind(SHOWN), "{written}");
        (status, written)
    }
}

/// Plays in plain mode.
fn in_lines(line: &str, typed: &str) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the command starts");
    // The command may end before it has read everything.
    let _ = child.stdin.take().expect("piped").write_all(typed.as_bytes());
    assert!(child.wait().expect("a child").success(), "{line}");
}

/// Returns the choices of the person in seat 0, as typed.
fn typed(trace: &str) -> String {
    let mut text = String::new();
    for line in trace.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
        let legal = line["legal"].as_array().map_or(0, Vec::len);
        match line["line"].as_str() {
            // A forced move is not a choice.
            Some("decision") if line["seat"] == 0 && legal > 1 => {
                text.push_str(line["choice"].as_str().expect("a label"));
                text.push('\n');
            }
            // If the session does not ask between rounds, `deal` is not a move, and is refused.
            Some("payoff") => text.push_str("deal\n"),
            _ => {}
        }
    }
    text
}

#[test]
fn the_screen_and_plain_lines_play_the_same_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = |name: &str| folder.path().join(name).display().to_string();
    let (plain, drawn) = (trace("plain.jsonl"), trace("drawn.jsonl"));
    let read = |path: &str| std::fs::read_to_string(path).expect("a trace");
    for game in GAMES.iter().filter(|game| !game.is_reference()) {
        let line = format!("play {} --against scripted,random --rounds 2 --seed 5", game.name());
        let played =
            Played::begin(&format!("{line} --pause 0 --overwrite --trace {drawn}"), "xterm-256color");
        played.await_text(OPENED);
        let (status, written) = played.end("\r");
        assert!(status.success(), "{status}");
        assert!(written.contains("After 2 rounds you have "), "{}", game.name());
        in_lines(&format!("{line} --overwrite --trace {plain}"), &typed(&read(&drawn)));
        assert_eq!(read(&plain), read(&drawn), "{}", game.name());
    }
}

#[test]
fn whoever_leaves_has_his_terminal_back_and_his_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.jsonl");
    let line = format!("play dalmuti --seed 5 --no-explain --pause 0 --trace {}", trace.display());
    let begin = || {
        let _ = std::fs::remove_file(&trace);
        let played = Played::begin(&line, "xterm-256color");
        played.await_text("Your move");
        played
    };
    let kept = || std::fs::read_to_string(&trace).expect("a trace").lines().count();
    let (status, written) = begin().end("\x03");
    assert!(status.success() && written.contains("You left the table."), "{status}");
    assert!(kept() > 1);
    for signal in [Signal::TERM, Signal::INT] {
        let played = begin();
        let pid = Pid::from_child(&played.child);
        kill_process(pid, signal).expect("a signal");
        let (status, _) = played.end("");
        assert_eq!((status.code(), status.signal()), (Some(128 + signal.as_raw()), None));
        assert!(kept() > 1);
    }
}

#[test]
fn a_terminal_that_goes_away_ends_the_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.jsonl");
    let (mut keys, terminal) = open();
    tcsetwinsize(&keys, Winsize { ws_col: 80, ws_row: 24, ws_xpixel: 0, ws_ypixel: 0 }).expect("a size");
    let line = format!("play dalmuti --seed 5 --no-explain --pause 0 --trace {}", trace.display());
    let mut child = start(&line, "xterm-256color", &terminal);
    let (mut written, mut bytes) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&written).contains("Your move") {
        let count = keys.read(&mut bytes).expect("the screen");
        written.extend_from_slice(&bytes[..count]);
    }
    drop((keys, terminal));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill().expect("a child");
            panic!("it continues");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.code().is_some_and(|code| code != 0), "{status}");
    assert!(std::fs::read_to_string(&trace).expect("a trace").lines().count() > 1);
}

#[test]
fn the_screen_follows_the_size_of_the_terminal() {
    let mut played = Played::begin("play taki --seed 5 --no-explain", "xterm-256color");
    played.await_text("Your move");
    played.resize(50, 12);
    // Only changed cells are written, so unchanged spaces separate the words.
    played.await_text("small:");
    played.resize(120, 40);
    played.end("\x03");
}

#[test]
fn plain_lines_are_there_for_who_wants_them() {
    for (arguments, term) in [("--plain", "xterm-256color"), ("", "dumb")] {
        let mut played = Played::begin(&format!("play dalmuti --seed 5 {arguments}"), term);
        played.await_text("Your move: ");
        played.press("quit\n");
        played.await_text("You left the table.");
        assert!(!played.written().contains(OPENED), "{arguments} {term}");
        assert!(played.child.wait().expect("a child").success());
    }
}

/// Whether the terminal shows what is typed, and sends it line by line, as in a shell.
fn is_as_shells_have_it(played: &Played) -> bool {
    let modes = tcgetattr(&played.terminal).expect("modes").local_modes;
    modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
}

/// Whether the screen was opened this many times, and drawn since.
fn is_drawn(written: &str, times: usize) -> bool {
    let opened: Vec<&str> = written.split(OPENED).collect();
    opened.len() == times + 1 && opened.last().is_some_and(|last| last.contains("Your move"))
}

#[test]
fn a_suspended_program_gives_the_terminal_back_and_draws_again_when_it_continues() {
    for signal in [None, Some(Signal::TSTP)] {
        let mut played = Played::begin("play dalmuti --seed 5 --no-explain --pause 0", "xterm-256color");
        let pid = Pid::from_child(&played.child);
        for times in 1..=2 {
            played.await_that(|written| is_drawn(written, times));
            assert!(!is_as_shells_have_it(&played));
            match signal {
                None => played.press("\x1a"),
                Some(signal) => kill_process(pid, signal).expect("a signal"),
            }
            let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).expect("a child").expect("a state");
            assert!(status.stopped(), "{status:?}: {}", played.written());
            assert!(is_as_shells_have_it(&played));
            played.await_that(|written| written.matches(CLOSED).count() == times);
            kill_process(pid, Signal::CONT).expect("a signal");
        }
        played.await_that(|written| is_drawn(written, 3));
        assert!(!is_as_shells_have_it(&played));
        let (status, written) = played.end("\x03");
        assert!(status.success() && written.contains("You left the table."), "{status}");
    }
}

#[test]
fn a_program_that_was_stopped_without_notice_takes_the_terminal_again() {
    let played = Played::begin("play dalmuti --seed 5 --no-explain --pause 0", "xterm-256color");
    let pid = Pid::from_child(&played.child);
    played.await_that(|written| is_drawn(written, 1));
    kill_process(pid, Signal::STOP).expect("a signal");
    let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).expect("a child").expect("a state");
    assert!(status.stopped(), "{status:?}: {}", played.written());
    // A shell does this before it reads the next command.
    let mut modes = tcgetattr(&played.terminal).expect("modes");
    modes.local_modes |= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
    tcsetattr(&played.terminal, OptionalActions::Now, &modes).expect("modes");
    kill_process(pid, Signal::CONT).expect("a signal");
    played.await_that(|written| is_drawn(written, 2));
    assert!(!is_as_shells_have_it(&played));
    kill_process(pid, Signal::TERM).expect("a signal");
    let (status, _) = played.end("");
    assert_eq!(status.code(), Some(128 + Signal::TERM.as_raw()));
}

#[test]
fn plain_lines_are_suspended_as_any_program_is() {
    let mut played = Played::begin("play dalmuti --seed 5 --plain", "xterm-256color");
    let pid = Pid::from_child(&played.child);
    played.await_text("Your move: ");
    kill_process(pid, Signal::TSTP).expect("a signal");
    let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).expect("a child").expect("a state");
    assert!(status.stopped(), "{status:?}: {}", played.written());
    kill_process(pid, Signal::CONT).expect("a signal");
    played.press("quit\n");
    played.await_text("You left the table.");
    assert!(played.child.wait().expect("a child").success());
}

#[test]
fn play_without_a_game_asks_and_says_at_the_end_how_to_continue() {
    let mut played = Played::begin("play --plain --seed 5 --ascii", "xterm-256color");
    for (question, answer) in [
        ("Game [2]: ", "chess\n"),
        ("Type a number from 1 to 4, or the name of a game.", "taki\n"),
        ("Players, with you (2 to 10) [4]: ", "11\n"),
        ("Type a number from 2 to 10.", "3\n"),
        ("Level of the bots (1 weak to 10 strong) [5]: ", "\n"),
        ("Your move: ", "#1\nquit\n"),
    ] {
        played.await_text(question);
        played.press(answer);
    }
    played.await_text(" play --resume ");
    let written = played.written();
    assert!(played.child.wait().expect("a child").success());
    for expected in ["TAKI, 3 players, seed 5", "You left the table.", "sessions/taki.jsonl", " review "] {
        assert!(written.contains(expected), "no {expected}: {written}");
    }
    assert!(written.is_ascii(), "{written}");
}

#[test]
fn a_new_session_keeps_an_unfinished_one_of_the_same_game() {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/data/cardsharp/sessions");
    let _ = std::fs::remove_dir_all(folder);
    let play = |seed: u32| {
        let line = format!("play dalmuti --plain --against scripted --pause 0 --seed {seed}");
        let mut played = Played::begin(&line, "xterm-256color");
        played.await_text("Your move: ");
        played.press("#1\nquit\n");
        played.await_text(" play --resume ");
        played.await_text("You left the table.");
        assert!(played.child.wait().expect("a child").success());
        played.written()
    };
    let first = play(1);
    assert!(!first.contains("Your unfinished session"), "{first}");
    let second = play(2);
    assert!(second.contains("Your unfinished session of The Great Dalmuti is now in"), "{second}");
    let seed = |name: &str| {
        let text = std::fs::read_to_string(format!("{folder}/{name}")).expect("a session");
        let header: Value = serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
        header["seed"].as_u64()
    };
    assert_eq!([seed("dalmuti-1.jsonl"), seed("dalmuti.jsonl")], [Some(1), Some(2)]);
}
