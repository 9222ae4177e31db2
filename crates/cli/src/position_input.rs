//! Input with the information of one seat: a view, or an event log up to a decision.

use std::path::Path;

use cardsharp_env::game::ViewError;
use cardsharp_env::{AnyGame, AnyObserver, AnyView, ObserveError, SeatView};
use cardsharp_text::escape::quoted;
use cardsharp_text::input::{LARGE, Lines, TRACE_LINE, name, read_text};
use serde_json::Value;

use crate::error::{CliError, Failure};
use crate::games;

/// Why input is not a position to decide in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PositionError {
    #[error(
        "{name} is not a view: {problem}; expected JSON like {{\"game\": \"dalmuti\", …}}, or a seat's event log"
    )]
    NoView { name: String, problem: String },
    #[error("{name} is not a seat's event log: {problem}")]
    NoEventLog { name: String, problem: String },
    /// The input is of another game than the bot.
    #[error("this is {what} of {given}, but {expected}")]
    OtherGame {
        /// The kind of input: a view or an event log.
        what: &'static str,
        /// The title of the input's game.
        given: &'static str,
        /// Which game was expected, and why.
        expected: String,
    },
    #[error(
        "seat {seat} has no decision here: expected a view, or an event log that ends where the seat must choose"
    )]
    NoDecision { seat: usize },
}

impl Failure for PositionError {
    fn code(&self) -> u8 {
        2
    }
}

impl Failure for ViewError {
    fn code(&self) -> u8 {
        2
    }
}

impl Failure for ObserveError {
    fn code(&self) -> u8 {
        2
    }
}

/// The lines of an event log.
pub(crate) struct EventLines {
    name: String,
    lines: Lines,
    read: usize,
}

impl EventLines {
    /// Opens a file, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        Ok(Self { name: name(path), lines: Lines::open(path, TRACE_LINE)?, read: 0 })
    }

    /// Reads a text that came from the input `name`.
    fn of(name: &str, text: String) -> Self {
        Self { lines: Lines::of(name, text.into_bytes(), TRACE_LINE), name: name.to_owned(), read: 0 }
    }

    /// Returns the next line; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<Value>, CliError> {
        let Some(text) = self.lines.next_line()? else { return Ok(None) };
        self.read = self.lines.number();
        let wrong = |source| self.refused(format!("line {}: not JSON: {source}", self.read));
        Ok(Some(serde_json::from_str(&text).map_err(wrong)?))
    }

    /// Returns an observer that has read the header.
    pub(crate) fn begin(&mut self, game: &dyn AnyGame) -> Result<Box<dyn AnyObserver>, CliError> {
        match self.next()? {
            Some(header) => Ok(game.observer(&header)?),
            None => Err(self.refused("it is empty".to_owned()).into()),
        }
    }

    fn refused(&self, problem: String) -> PositionError {
        PositionError::NoEventLog { name: quoted(&self.name), problem }
    }
}

/// A view or an event log as text.
pub(crate) struct PositionInput {
    name: String,
    text: Text,
}

enum Text {
    View(String),
    EventLog(String),
}

/// A parsed view or event log.
pub(crate) enum ParsedPosition {
    View(Box<dyn AnyView>),
    EventLog(Box<dyn AnyObserver>),
}

impl PositionInput {
    /// Reads a file, or standard input (`-`).
    pub(crate) fn read_from(path: &Path) -> Result<Self, CliError> {
        let (name, text) = (name(path), read_text(path, LARGE)?);
        if text.trim().is_empty() {
            return Err(PositionError::NoView { name, problem: "it is empty".to_owned() }.into());
        }
        Ok(Self { name, text: Text::of(text) })
    }

    /// Returns the game that the input names.
    pub(crate) fn game(&self) -> Result<&'static dyn AnyGame, CliError> {
        let wrong = |problem: String| PositionError::NoView { name: self.name.clone(), problem };
        let value = match &self.text {
            Text::View(text) => {
                serde_json::from_str::<Value>(text).map_err(|error| wrong(error.to_string()))?
            }
            Text::EventLog(text) => EventLines::of(&self.name, text.clone()).next()?.unwrap_or_default(),
        };
        let Some(name) = value["game"].as_str() else {
            return Err(wrong("the field `game` is missing".to_owned()).into());
        };
        games::game(name).ok_or_else(|| wrong(format!("there is no game `{}`", quoted(name))).into())
    }

    /// Refuses input of another game; `expected` describes the right one.
    pub(crate) fn expect(
        &self,
        game: &dyn AnyGame,
        expected: impl FnOnce() -> String,
    ) -> Result<(), CliError> {
        // If the input names no game, parsing it reports that.
        let Some(given) = self.game().ok().filter(|given| given.name() != game.name()) else { return Ok(()) };
        let what = if matches!(self.text, Text::View(_)) { "a view" } else { "an event log" };
        Err(PositionError::OtherGame { what, given: given.title(), expected: expected() }.into())
    }

    pub(crate) fn read(self, game: &dyn AnyGame) -> Result<ParsedPosition, CliError> {
        match self.text {
            Text::View(text) => Ok(ParsedPosition::View(game.view(&text)?)),
            Text::EventLog(text) => {
                let mut log = EventLines::of(&self.name, text);
                let mut observer = log.begin(game)?;
                while let Some(line) = log.next()? {
                    observer.hear(&line)?;
                }
                Ok(ParsedPosition::EventLog(observer))
            }
        }
    }
}

impl Text {
    /// An event log starts with its header. A view is a JSON value, or the field `view` of one, like a line of `play
    /// --json` or a test vector.
    fn of(text: String) -> Self {
        let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        match values.next() {
            Some(Ok(first)) if first["line"] == "header" => Self::EventLog(text),
            Some(Ok(Value::Object(line))) if line.contains_key("view") && values.next().is_none() => {
                Self::View(line["view"].to_string())
            }
            _ => Self::View(text),
        }
    }
}

impl ParsedPosition {
    /// Returns the seat's view at its decision.
    pub(crate) fn view(&mut self) -> Result<SeatView<'_>, CliError> {
        match self {
            Self::View(view) => Ok(view.view()),
            Self::EventLog(observer) => Ok(observer.decide()?),
        }
    }
}
