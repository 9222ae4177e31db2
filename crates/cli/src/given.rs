//! Input with the information of one seat: a view, or an event log up to a decision.

use std::path::Path;

use cardsharp_env::{AnyGame, AnyObserver, AnyView, SeatView};
use serde_json::Value;

use crate::error::CliError;
use crate::heard::Records;
use crate::input::{LARGE, name, read_text};
use crate::shown::quoted;

/// A view or an event log as text.
pub(crate) struct Given {
    /// The name of the input.
    name: String,
    said: Said,
}

enum Said {
    View(String),
    Record(String),
}

/// A parsed view or event log.
pub(crate) enum Known {
    View(Box<dyn AnyView>),
    Record(Box<dyn AnyObserver>),
}

impl Given {
    /// Reads a file, or standard input (`-`).
    pub(crate) fn read_from(path: &Path) -> Result<Self, CliError> {
        let (name, text) = (name(path), read_text(path, LARGE)?);
        if text.trim().is_empty() {
            return Err(CliError::NoView { name, problem: "it is empty".to_owned() });
        }
        Ok(Self { name, said: Said::of(text) })
    }

    /// Returns the game that the input names.
    pub(crate) fn game(&self) -> Result<&'static dyn AnyGame, CliError> {
        let wrong = |problem: String| CliError::NoView { name: self.name.clone(), problem };
        let value = match &self.said {
            Said::View(text) => {
                serde_json::from_str::<Value>(text).map_err(|error| wrong(error.to_string()))?
            }
            Said::Record(text) => Records::of(&self.name, text.clone()).next()?.unwrap_or_default(),
        };
        let Some(name) = value["game"].as_str() else {
            return Err(wrong("the field `game` is missing".to_owned()));
        };
        crate::list::game(name).ok_or_else(|| wrong(format!("there is no game `{}`", quoted(name))))
    }

    /// Refuses input of another game; `expected` describes the right one.
    pub(crate) fn expect(
        &self,
        game: &dyn AnyGame,
        expected: impl FnOnce() -> String,
    ) -> Result<(), CliError> {
        // If the input names no game, parsing it reports that.
        let Some(given) = self.game().ok().filter(|given| given.name() != game.name()) else { return Ok(()) };
        let what = if matches!(self.said, Said::View(_)) { "a view" } else { "an event log" };
        Err(CliError::OtherGame { what, given: given.title(), expected: expected() })
    }

    pub(crate) fn read(self, game: &dyn AnyGame) -> Result<Known, CliError> {
        match self.said {
            Said::View(text) => Ok(Known::View(game.view(&text)?)),
            Said::Record(text) => {
                let mut records = Records::of(&self.name, text);
                let mut observer = records.begin(game)?;
                while let Some(line) = records.next()? {
                    observer.hear(&line)?;
                }
                Ok(Known::Record(observer))
            }
        }
    }
}

impl Said {
    /// An event log starts with its header. A view is a JSON value, or the field `view` of one, like a line of `play
    /// --json` or a test vector.
    fn of(text: String) -> Self {
        let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        match values.next() {
            Some(Ok(first)) if first["line"] == "header" => Self::Record(text),
            Some(Ok(Value::Object(line))) if line.contains_key("view") && values.next().is_none() => {
                Self::View(line["view"].to_string())
            }
            _ => Self::View(text),
        }
    }
}

impl Known {
    /// Returns the seat's view at its decision.
    pub(crate) fn view(&mut self) -> Result<SeatView<'_>, CliError> {
        match self {
            Self::View(view) => Ok(view.view()),
            Self::Record(observer) => Ok(observer.decide()?),
        }
    }
}
