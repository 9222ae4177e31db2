//! The terminal that somebody reads on.

use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use terminal_size::{Height, Width, terminal_size};

/// Columns where nobody says how many there are.
const COLUMNS: usize = 80;
/// Columns of text that are still read with ease.
const READABLE: usize = 120;

/// Columns for text, 40 to 120.
pub(crate) fn width() -> usize {
    terminal_size().map_or(COLUMNS, |(Width(columns), _)| usize::from(columns).clamp(40, READABLE))
}

/// Lines of text that fit `width`, each after `indent`, which counts.
pub(crate) fn wrapped(text: &str, width: usize, indent: &str) -> Vec<String> {
    let options =
        textwrap::Options::new(width).initial_indent(indent).subsequent_indent(indent).break_words(false);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}

/// Shows a text that is longer than the terminal by the pager that `PAGER` names, else by `less`; false where the text is
/// to be written as it is: it is short, nobody sits there, or there is no pager.
pub(crate) fn paged(text: &str) -> bool {
    let Some((_, Height(rows))) = terminal_size() else { return false };
    let alone = !io::stdout().is_terminal() || !io::stdin().is_terminal();
    if alone || text.lines().count() < usize::from(rows) {
        return false;
    }
    let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return false };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // Styles are kept, and what was read stays on the screen.
        command.env("LESS", "RX");
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut to) = child.stdin.take() {
        // Who leaves the pager early has read enough.
        let _ = to.write_all(text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.success())
}
