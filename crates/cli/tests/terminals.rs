//! Output to a terminal: colors if they are wanted, lines broken between words, and commands that can be copied to a
//! shell.

use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
#[cfg(any(feature = "bots", feature = "train"))]
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::termios::{Winsize, tcsetwinsize};

use crate::screen::open;

/// Whether a text contains ANSI codes for colors or styles.
fn is_colored(written: &str) -> bool {
    let mut sequences = written.split("\x1b[").skip(1);
    sequences.any(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m'))
}

/// Returns the output of a command on a terminal of `columns` columns, with these environment variables.
fn written(words: &[&str], columns: u16, variables: &[(&str, &str)]) -> String {
    let (mut keys, terminal) = open();
    let size = Winsize { ws_col: columns, ws_row: 24, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&keys, size).expect("a size");
    let end = || -> File { terminal.try_clone().expect("a copy") };
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardsharp"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.args(words).env("TERM", "xterm-256color").envs(variables.iter().copied()).process_group(0);
    let mut child = command.stdin(Stdio::null()).stdout(end()).stderr(end()).spawn().expect("it starts");
    drop((terminal, command));
    let (mut all, mut bytes) = (Vec::new(), [0; 4096]);
    // Reading fails when the command has closed its end.
    while let Ok(count @ 1..) = keys.read(&mut bytes) {
        all.extend_from_slice(&bytes[..count]);
    }
    child.wait().expect("a child");
    String::from_utf8_lossy(&all).into_owned()
}

const COMMANDS: [&[&str]; 6] = [
    &["--help"],
    &["arena", "dalmuti", "--bots", "scripted,random", "--deals", "20"],
    &["rules", "taki", "--set", "playrs=3"],
    &["rules", "taki"],
    &["areena"],
    &["replay", "not-there.jsonl"],
];

#[test]
fn every_command_follows_the_variables_about_colors() {
    for words in COMMANDS {
        for variables in [("NO_COLOR", "1"), ("TERM", "dumb"), ("CLICOLOR", "0")] {
            let text = written(words, 80, &[variables]);
            assert!(!is_colored(&text), "{words:?} with {variables:?}: {text:?}");
            assert!(!text.is_empty(), "{words:?}");
        }
        let never: Vec<&str> = words.iter().chain(&["--color", "never"]).copied().collect();
        assert!(!is_colored(&written(&never, 80, &[])), "{words:?}");
    }
    for words in &COMMANDS[..5] {
        assert!(is_colored(&written(words, 80, &[])), "{words:?} without variables");
    }
}

#[test]
fn nothing_is_drawn_over_on_a_terminal_that_cannot() {
    let words = ["arena", "dalmuti", "--bots", "scripted,random", "--deals", "200", "--threads", "1"];
    assert!(!written(&words, 80, &[("TERM", "dumb")]).contains('\x1b'));
}

#[test]
fn colors_can_be_forced_into_a_pipe_on_both_streams() {
    let cardsharp = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardsharp"));
        let output =
            command.args(words).env_remove("NO_COLOR").env("TERM", "dumb").envs(variables.iter().copied());
        let output = output.output().expect("it starts");
        [output.stdout, output.stderr].map(|bytes| is_colored(&String::from_utf8_lossy(&bytes)))
    };
    let (fine, wrong) = (["rules", "taki"], ["rules", "taki", "--set", "playrs=3"]);
    let force = ("CLICOLOR_FORCE", "1");
    assert_eq!(cardsharp(&fine, &[]), [false, false]);
    assert_eq!(cardsharp(&fine, &[force]), [true, false]);
    assert_eq!(cardsharp(&wrong, &[force]), [false, true]);
    assert_eq!(cardsharp(&["arena", "--hlep"], &[force]), [false, true]);
    assert_eq!(cardsharp(&["arena", "--help"], &[force]), [true, false]);
    assert_eq!(cardsharp(&wrong, &[force, ("NO_COLOR", "1")]), [false, false]);
    assert_eq!(cardsharp(&["--color", "always", "rules", "taki", "--set", "playrs=3"], &[]), [false, true]);
    assert_eq!(cardsharp(&["--color=never", "rules", "taki", "--set", "playrs=3"], &[force]), [false, false]);
}

/// Returns the columns of a text without its styles.
fn columns(line: &str) -> usize {
    textwrap::core::display_width(line)
}

#[test]
fn lines_are_broken_between_words_at_the_width_of_the_terminal() {
    let commands: [&[&str]; 7] = [
        &["arena", "--help"],
        &["train", "--help"],
        &["arena", "dalmuti", "--bots", "scripted,random", "--deals", "20", "--color", "never"],
        &["solve", "kuhn", "--iterations", "20"],
        &["rules", "taki", "--set", "playrs=3"],
        &["train", "not-there.toml"],
        &["arena", "taki", "--bots", "scripted,randm"],
    ];
    for words in commands {
        let words: Vec<&str> = words.iter().chain(&["--color", "never"]).copied().collect();
        let narrow = written(&words, 80, &[("TERM", "dumb")]);
        for line in narrow.lines() {
            assert!(columns(line) <= 80, "{words:?}: {line}");
        }
        // No word is broken: all words also appear on a wide terminal.
        let wide = written(&words, 400, &[("TERM", "dumb")]);
        let list = |text: &str| -> Vec<String> {
            let is_frame = |c: char| c.is_whitespace() || ('\u{2500}'..='\u{257f}').contains(&c);
            let mut list: Vec<String> = text
                .split(is_frame)
                .filter(|word| {
                    word.chars().any(char::is_alphabetic) && !word.contains(|c: char| c.is_ascii_digit())
                })
                .map(str::to_owned)
                .collect();
            list.sort();
            list
        };
        assert_eq!(list(&narrow), list(&wide), "{words:?}:\n{narrow}\n{wide}");
    }
}

#[test]
fn tables_in_a_pipe_stay_readable() {
    let words = ["solve", "leduc", "--iterations", "2"];
    let output = Command::new(env!("CARGO_BIN_EXE_cardsharp")).args(words).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("CFR+ 2"), "{text}");
    for line in text.lines() {
        let is_table = line.starts_with(['┌', '│', '╞', '├', '└']);
        assert!(columns(line) <= if is_table { 80 } else { 120 }, "{line}");
    }
}

#[test]
#[cfg(feature = "bots")]
fn a_command_that_is_shown_can_be_typed() {
    let folder = tempfile::tempdir().expect("a folder");
    let tools = folder.path().join("it's here");
    std::fs::create_dir(&tools).expect("a folder");
    let program = tools.join("cardsharp");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_cardsharp"), &program).expect("a link");
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints/taki/bot");
    let exported = Command::new(&program)
        .args(["export", bot.to_str().expect("UTF-8"), "--to", "my bots/$HOME & co"])
        .current_dir(folder.path())
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&exported.stdout).into_owned();
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    let shown = text.lines().find_map(|line| line.strip_prefix("Verify it with: ")).expect("a command");
    let shell = Command::new("sh").args(["-c", shown]).current_dir(folder.path()).output().expect("a shell");
    assert!(shell.status.success(), "{shown}: {}", String::from_utf8_lossy(&shell.stderr));
}
