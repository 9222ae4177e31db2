//! Standard output: text for people, JSON for programs, and no complaint when the reader has left.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;

use crate::error::CliError;

/// Where a command writes its result.
pub(crate) struct Output {
    /// Whether to write JSON.
    pub(crate) json: bool,
    colour: bool,
    to: BufWriter<Stdout>,
}

impl Output {
    /// Standard output. Colours only on a terminal, and not when `NO_COLOR` is set.
    pub(crate) fn stdout(json: bool) -> Self {
        let colour = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        Self { json, colour, to: BufWriter::new(io::stdout()) }
    }

    /// Writes a line of text.
    pub(crate) fn line(&mut self, text: impl Display) -> Result<(), CliError> {
        writeln!(self.to, "{text}").map_err(CliError::from_stdout)
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: impl Display) -> Result<(), CliError> {
        write!(self.to, "{text}").map_err(CliError::from_stdout)
    }

    /// Writes one value as one line of JSON.
    pub(crate) fn json_line(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string(value).map_err(CliError::Json)?;
        self.line(text)
    }

    /// Writes one value as indented JSON.
    pub(crate) fn json_page(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string_pretty(value).map_err(CliError::Json)?;
        self.line(text)
    }

    /// Hands everything written so far to the reader.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.to.flush().map_err(CliError::from_stdout)
    }

    /// `text` in bold, where that can be shown.
    pub(crate) fn bold(&self, text: impl Display) -> String {
        if self.colour { format!("\x1b[1m{text}\x1b[0m") } else { text.to_string() }
    }

    /// `text` in a fainter colour, where that can be shown.
    pub(crate) fn dim(&self, text: impl Display) -> String {
        if self.colour { format!("\x1b[2m{text}\x1b[0m") } else { text.to_string() }
    }
}
