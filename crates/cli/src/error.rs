//! Why a command fails, with its message and its exit code.

use std::io;
use std::path::{Path, PathBuf};

use cardsharp_bot::arena::ArenaError;
use cardsharp_bot::bots::levels::LevelError;
use cardsharp_bot::bundle::ExportError;
use cardsharp_bot::file::FileError;
use cardsharp_bot::{OpenError, disk};
use cardsharp_document::ConfigError;
use cardsharp_env::rules::RulesError;
use cardsharp_env::table::MoveError;
use cardsharp_text::escape;
use cardsharp_text::input::InputError;
use miette::{GraphicalReportHandler, GraphicalTheme};

use crate::terminal::{self, OutputStream};

/// An error that a command defines, or that its library returns.
pub(crate) trait Failure: std::error::Error + Send + 'static {
    /// Returns the exit code: 2 for invalid input, 1 if the command failed.
    fn code(&self) -> u8;

    /// Whether the output has said so already.
    fn is_silent(&self) -> bool {
        false
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The reader closed standard output. This is no failure.
    #[error("standard output was closed")]
    Closed,
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// A file or standard input cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot write {}: the folder {} does not exist", path.display(), disk::parent(path).display())]
    NoFolder { path: PathBuf },
    #[error("{option} is required: {why}")]
    Required { option: &'static str, why: &'static str },
    #[error("{option} cannot be {given}: {expected}")]
    Option { option: &'static str, given: String, expected: String },
    /// A configuration or rules file is invalid. The error includes its place.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Rules from options of the command line are invalid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error(transparent)]
    Bot(#[from] OpenError),
    #[error("{}", file_problem(path, source))]
    BotFile { path: PathBuf, source: FileError },
    /// A bot does not have the requested level.
    #[error("--level: {0}")]
    Level(#[from] LevelError),
    /// A bot picked a move that the rules do not allow.
    #[error("a bot played an illegal move: {0}")]
    Move(#[from] MoveError),
    /// A contest has invalid options.
    #[error("{}: {}", option_of(.0), .0)]
    Arena(#[from] ArenaError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("cannot write JSON: {0}")]
    Json(serde_json::Error),
    /// The system does not allow signal handlers.
    #[error("cannot catch signals: {0}")]
    Signals(io::Error),
    /// A signal stopped the command. The output has said so already.
    #[error("stopped by signal {signal}")]
    Interrupted { signal: usize },
    /// An error of one command.
    #[error("{0}")]
    Failure(Box<dyn Failure>),
}

impl<F: Failure> From<F> for CliError {
    fn from(failure: F) -> Self {
        Self::Failure(Box::new(failure))
    }
}

/// Returns the option of the command line that causes the error of a contest.
fn option_of(error: &ArenaError) -> &'static str {
    match error {
        ArenaError::Bots { .. } | ArenaError::RoundRobin { .. } => "--bots",
        ArenaError::Seats { .. } => "--seats",
        ArenaError::FewDeals { .. }
        | ArenaError::NoDeals
        | ArenaError::ManyDeals { .. }
        | ArenaError::FewToKnow { .. } => "--deals",
        ArenaError::RuleSets { .. } => "--random-rules",
        ArenaError::Delta(_) => "--sprt",
    }
}

impl CliError {
    /// Converts an error of a write to standard output.
    pub(crate) fn from_stdout(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Stdout(error) }
    }

    /// Returns the exit code: 2 for invalid input, 3 if the input ended too early, 1 if the command failed.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Closed => 0,
            // The convention of shells for a program that a signal ended.
            Self::Interrupted { signal } => 128 + *signal as u8,
            Self::Input(_)
            | Self::NoFolder { .. }
            | Self::Required { .. }
            | Self::Option { .. }
            | Self::Config(_)
            | Self::Rules(_)
            | Self::Bot(_)
            | Self::BotFile { .. }
            | Self::Level(_)
            | Self::Arena(_) => 2,
            Self::Stdout(_)
            | Self::Write { .. }
            | Self::Move(_)
            | Self::Export(_)
            | Self::Json(_)
            | Self::Signals(_) => 1,
            Self::Failure(failure) => failure.code(),
        }
    }

    /// Returns the message for standard error, with its line end. Control characters in it are escaped.
    pub(crate) fn report(self) -> String {
        let text = match self {
            Self::Interrupted { .. } => return String::new(),
            Self::Failure(failure) if failure.is_silent() => return String::new(),
            Self::Config(error) => {
                return excerpt(&error, OutputStream::Err.has_color(), OutputStream::Err.columns());
            }
            other => format!("error: {other}\n"),
        };
        let text = escape::message(&text);
        OutputStream::Err.columns().map_or_else(|| text.clone(), |columns| terminal::fit(&text, columns))
    }
}

/// Describes the problem of a file. Errors of the disk name the file already.
fn file_problem(path: &Path, source: &FileError) -> String {
    match source {
        FileError::Io { .. } => format!("cannot read {source}"),
        _ => format!("{}: {source}", path.display()),
    }
}

/// Formats an error with the lines of the file around its place.
///
/// On a terminal of `columns` columns, the message is broken between words. Otherwise its lines stay whole, so that
/// file, line and column can be searched for. If lines are too long to show, only the message is returned.
fn excerpt(error: &ConfigError, colour: bool, columns: Option<usize>) -> String {
    let render = |theme| {
        let mut text = String::new();
        let handler = GraphicalReportHandler::new_themed(theme).with_break_words(false);
        let handler = match columns {
            Some(columns) => handler.with_width(columns),
            None => handler.with_wrap_lines(false),
        };
        handler.render_report(&mut text, error).map(|()| format!("error:\n{text}"))
    };
    match render(GraphicalTheme::unicode_nocolor()) {
        // Colors are control characters, too. They can be used only if the text has no others.
        Ok(text) if colour && escape::is_plain(&text) => render(GraphicalTheme::unicode()).unwrap_or(text),
        Ok(text) if !escape::has_long_lines(&text) => escape::page(&text).into_owned(),
        _ => escape::message(&format!("error: {error}\n")),
    }
}

#[cfg(test)]
mod tests {
    use cardsharp_document::parse_rules;
    use cardsharp_env::{Size, game};

    use super::excerpt;

    fn refused(text: &str) -> String {
        let game = game("dalmuti").expect("one of the games");
        let error = parse_rules(game, "house.toml", text, &[], Size::AS_GIVEN).expect_err("refused");
        excerpt(&error, true, None)
    }

    #[test]
    fn colors_of_the_file_are_escaped() {
        let plain = refused("players = 5\nhnads = 1\n");
        let place = "house.toml:2:1: there is no rules option `hnads`";
        assert!(plain.contains(place) && plain.contains("\x1b["), "{plain}");
        let evil = refused("players = 5 # \u{9b}31m \u{202e}\nhnads = 1\n");
        assert!(evil.contains("# \\u{9b}31m \\u{202e}\n") && !evil.contains(['\x1b', '\u{9b}']), "{evil}");
    }

    #[test]
    fn lines_that_fill_the_screen_are_not_shown() {
        let long = refused(&format!("players = 5 # {}\nhnads = 1\n", "x".repeat(5000)));
        assert!(long.starts_with("error: house.toml:2:1: ") && long.lines().count() == 1, "{long}");
    }

    #[test]
    fn a_terminal_gets_the_message_broken_between_words() {
        let game = game("dalmuti").expect("one of the games");
        let error = parse_rules(game, "house.toml", "hnads = 1\n", &[], Size::AS_GIVEN).expect_err("refused");
        let text = excerpt(&error, false, Some(60));
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| c.is_whitespace() || "│·╭╰─".contains(c))
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(words(&text), words(&excerpt(&error, false, None)));
    }
}
