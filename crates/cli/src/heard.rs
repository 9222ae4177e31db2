//! Event logs of seats, read from files.

use std::path::Path;

use cardsharp_env::{AnyGame, AnyObserver};
use serde_json::Value;

use crate::error::CliError;
use crate::input::{Lines, TRACE_LINE, name};
use crate::shown::quoted;

/// The lines of an event log.
pub(crate) struct Records {
    name: String,
    lines: Lines,
    read: usize,
}

impl Records {
    /// Opens a file, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        Ok(Self { name: name(path), lines: Lines::open(path, TRACE_LINE)?, read: 0 })
    }

    /// Reads a text that came from the input `name`.
    pub(crate) fn of(name: &str, text: String) -> Self {
        Self { lines: Lines::of(name, text.into_bytes(), TRACE_LINE), name: name.to_owned(), read: 0 }
    }

    /// Returns the next line; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<Value>, CliError> {
        let Some(text) = self.lines.next()? else { return Ok(None) };
        self.read = self.lines.number();
        let wrong = |source: serde_json::Error| CliError::NoRecord {
            name: quoted(&self.name).to_string(),
            problem: format!("line {}: not JSON: {source}", self.read),
        };
        serde_json::from_str(&text).map(Some).map_err(wrong)
    }

    /// Returns an observer that has read the header.
    pub(crate) fn begin(&mut self, game: &dyn AnyGame) -> Result<Box<dyn AnyObserver>, CliError> {
        match self.next()? {
            Some(header) => Ok(game.observer(&header)?),
            None => Err(CliError::NoRecord {
                name: quoted(&self.name).to_string(),
                problem: "it is empty".to_owned(),
            }),
        }
    }
}
