//! Seats' records from files.

use std::path::Path;

use cardsharp_env::{AnyGame, AnyObserver};
use serde_json::Value;

use crate::error::CliError;
use crate::input::{Lines, TRACE_LINE, name};
use crate::shown::quoted;

/// The lines of a record.
pub(crate) struct Records {
    name: String,
    lines: Lines,
    read: usize,
}

impl Records {
    /// Those of a file, or of standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        Ok(Self { name: name(path), lines: Lines::open(path, TRACE_LINE)?, read: 0 })
    }

    /// Those of a text that was read from what is called `name`.
    pub(crate) fn of(name: &str, text: String) -> Self {
        Self { lines: Lines::of(name, text.into_bytes(), TRACE_LINE), name: name.to_owned(), read: 0 }
    }

    /// The next line; none after the last.
    pub(crate) fn next(&mut self) -> Result<Option<Value>, CliError> {
        let Some(text) = self.lines.next()? else { return Ok(None) };
        self.read = self.lines.number();
        let wrong = |source: serde_json::Error| CliError::NoRecord {
            name: quoted(&self.name).to_string(),
            problem: format!("line {}: not JSON: {source}", self.read),
        };
        serde_json::from_str(&text).map(Some).map_err(wrong)
    }

    /// Who has heard the first line.
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
