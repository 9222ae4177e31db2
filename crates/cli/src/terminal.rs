//! Properties of terminals: colors, whether they can be drawn on, and their width.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use clap::ColorChoice;
use clap::ValueEnum;
use terminal_size::{Height, Width, terminal_size};
use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter};

/// Columns if no terminal reports a number.
const COLUMNS: usize = 80;
/// Maximum columns of easily readable text.
pub(crate) const READABLE: usize = 120;
/// Characters that start a line of a table. Cells are wrapped already.
const FRAMES: [char; 8] = ['┌', '│', '╞', '├', '└', '╭', '╰', '─'];

/// The destination of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputStream {
    Out,
    Err,
}

impl OutputStream {
    fn is_terminal(self) -> bool {
        match self {
            Self::Out => io::stdout().is_terminal(),
            Self::Err => io::stderr().is_terminal(),
        }
    }

    /// Whether text on this stream is colored.
    pub(crate) fn has_color(self) -> bool {
        let choice = CHOICE.get().copied().unwrap_or(ColorChoice::Auto);
        has_color(choice, self.is_terminal(), |name| std::env::var_os(name))
    }

    /// Whether written lines can be drawn over: the stream is a terminal, and `TERM` names one that supports it.
    pub(crate) fn is_drawable(self) -> bool {
        let named = |name: OsString| !name.is_empty() && name != "dumb";
        // Windows does not set `TERM`.
        self.is_terminal() && std::env::var_os("TERM").map_or(cfg!(windows), named)
    }

    /// Returns the columns of the terminal, at least 40; `None` if the stream is no terminal.
    pub(crate) fn columns(self) -> Option<usize> {
        if !self.is_terminal() {
            return None;
        }
        let size = match self {
            Self::Out => terminal_size::terminal_size_of(io::stdout()),
            Self::Err => terminal_size::terminal_size_of(io::stderr()),
        };
        Some(size.map_or(COLUMNS, |(Width(columns), _)| usize::from(columns).max(40)))
    }
}

/// The value of `--color`.
static CHOICE: OnceLock<ColorChoice> = OnceLock::new();

/// Reads `--color` from the command line before it is parsed, because errors of parsing are colored, too.
pub(crate) fn choose_color(words: impl Iterator<Item = OsString>) {
    let mut words = words.take_while(|word| word != "--").filter_map(|word| word.into_string().ok());
    let mut choice = None;
    while let Some(word) = words.next() {
        let given = match word.strip_prefix("--color") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        choice = given.and_then(|given| ColorChoice::from_str(&given, false).ok()).or(choice);
    }
    // Only the first call in a process sets the value.
    let _ = CHOICE.set(choice.unwrap_or(ColorChoice::Auto));
}

/// Whether text in a file is colored.
pub(crate) fn is_color_forced() -> bool {
    let choice = CHOICE.get().copied().unwrap_or(ColorChoice::Auto);
    has_color(choice, false, |name| std::env::var_os(name))
}

/// Whether text is colored. `--color` decides first; then `NO_COLOR`, `CLICOLOR_FORCE`, `TERM=dumb` and `CLICOLOR=0`,
/// in this order (<https://no-color.org>, <https://bixense.com/clicolors>); then whether the output is a terminal.
fn has_color(choice: ColorChoice, is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let is = |name: &str, value: &str| variable(name).is_some_and(|given| given == *value);
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if is_set("NO_COLOR") => false,
        ColorChoice::Auto if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") => true,
        ColorChoice::Auto => is_terminal && !is("TERM", "dumb") && !is("CLICOLOR", "0"),
    }
}

/// Whether the terminal of standard output shows only ASCII characters, because the locale has no UTF-8. Other readers
/// get UTF-8 in any locale.
pub(crate) fn is_ascii() -> bool {
    // Windows has no variable for this.
    OutputStream::Out.is_terminal() && cfg!(unix) && !is_utf8_locale(|name| std::env::var(name).ok())
}

/// Whether the locale of characters is a UTF-8 one. Without any variable it is the C locale.
fn is_utf8_locale(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    locale.is_some_and(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Returns the columns for text, 40 to 120.
pub(crate) fn width() -> usize {
    terminal_size().map_or(COLUMNS, |(Width(columns), _)| usize::from(columns).clamp(40, READABLE))
}

/// Breaks lines between words to fit `width` columns, and repeats the indentation of each line. Lines of tables and
/// wider words stay whole.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let fit = |line: &str| {
        let bare = line.trim_start_matches(' ');
        if display_width(line) <= width || bare.starts_with(FRAMES) {
            return line.to_owned();
        }
        let indent = &line[..line.len() - bare.len()];
        let options = Options::new(width)
            .subsequent_indent(indent)
            .break_words(false)
            .word_separator(WordSeparator::AsciiSpace)
            .word_splitter(WordSplitter::NoHyphenation);
        textwrap::wrap(line, options).join("\n")
    };
    text.split('\n').map(fit).collect::<Vec<_>>().join("\n")
}

/// Breaks a text into lines of `width` columns, including `indent` before each.
pub(crate) fn wrapped(text: &str, width: usize, indent: &str) -> Vec<String> {
    let options =
        textwrap::Options::new(width).initial_indent(indent).subsequent_indent(indent).break_words(false);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}

/// Shows a text that is longer than the terminal in the pager `PAGER`, or in `less`. Returns false if the caller must
/// write the text: it is short, there is no terminal, or no pager.
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
        // Keep styles, and leave the text on the screen.
        command.env("LESS", "RX");
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut to) = child.stdin.take() {
        // Ignore errors: the pager may be closed before the end of the text.
        let _ = to.write_all(text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether text is colored with these variables set.
    fn colored(choice: ColorChoice, is_terminal: bool, variables: &[(&str, &str)]) -> bool {
        has_color(choice, is_terminal, |asked| {
            variables.iter().find(|(name, _)| *name == asked).map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn colors_follow_the_option_then_the_variables_then_the_terminal() {
        use ColorChoice::{Always, Auto, Never};
        assert!(colored(Auto, true, &[("TERM", "xterm")]));
        assert!(!colored(Auto, false, &[("TERM", "xterm")]));
        for off in [("NO_COLOR", "1"), ("TERM", "dumb"), ("CLICOLOR", "0")] {
            assert!(!colored(Auto, true, &[off]), "{off:?}");
            assert!(colored(Always, false, &[off]), "{off:?}");
        }
        // An empty variable counts as unset, and other values have no effect.
        for nothing in [("NO_COLOR", ""), ("CLICOLOR", "1"), ("CLICOLOR_FORCE", ""), ("CLICOLOR_FORCE", "0")]
        {
            assert!(colored(Auto, true, &[nothing]), "{nothing:?}");
            assert!(!colored(Auto, false, &[nothing]), "{nothing:?}");
        }
        let force = ("CLICOLOR_FORCE", "1");
        assert!(colored(Auto, false, &[force, ("TERM", "dumb"), ("CLICOLOR", "0")]));
        assert!(!colored(Auto, true, &[force, ("NO_COLOR", "1")]));
        assert!(!colored(Never, true, &[force]));
    }

    #[test]
    fn the_first_variable_of_the_locale_decides_about_utf_8() {
        let is_utf8 = |set: &[(&str, &str)]| {
            is_utf8_locale(|asked| {
                set.iter().find(|(name, _)| *name == asked).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(is_utf8(&[("LANG", "nl_NL.UTF-8")]));
        assert!(is_utf8(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!is_utf8(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]));
        assert!(!is_utf8(&[]));
    }

    #[test]
    fn lines_are_broken_between_words_and_keep_their_indent() {
        let text = "one two --three-four\n  five six seven\n│ a table stays whole │\n";
        let broken = "one two\n--three-four\n  five six\n  seven\n│ a table stays whole │\n";
        assert_eq!(fit(text, 12), broken);
        assert_eq!(fit(text, 80), text);
        let long = "runs/a-name-that-is-longer-than-any-line";
        assert_eq!(fit(long, 12), long);
        // Styles take no columns.
        let bold = "\u{1b}[1mone two\u{1b}[0m three";
        assert_eq!(fit(bold, 13), bold);
        assert_eq!(fit(bold, 8), "\u{1b}[1mone two\u{1b}[0m\nthree");
    }
}
