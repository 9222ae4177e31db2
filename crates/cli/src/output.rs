//! Standard output: text for people, JSON for programs, and no complaint when the reader has left.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;

use crate::error::CliError;
use crate::shown;

/// A text for people, part by part, of which only the program decides how they look.
pub(crate) struct Text(Vec<Part>);

struct Part {
    /// What stands before the part and what after it.
    style: [&'static str; 2],
    text: String,
}

impl Text {
    fn styled(text: impl Display, style: [&'static str; 2]) -> Self {
        Self(vec![Part { style, text: text.to_string() }])
    }

    /// This text and another one after it.
    pub(crate) fn then(mut self, other: impl Into<Self>) -> Self {
        self.0.extend(other.into().0);
        self
    }
}

impl<T: Display> From<T> for Text {
    fn from(text: T) -> Self {
        Self::styled(text, ["", ""])
    }
}

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
    pub(crate) fn line(&mut self, text: impl Into<Text>) -> Result<(), CliError> {
        self.text(text.into().then("\n"))
    }

    /// Writes text, which ends its lines itself.
    pub(crate) fn text(&mut self, text: impl Into<Text>) -> Result<(), CliError> {
        for Part { style: [before, after], text } in text.into().0 {
            let text = shown::page(&text);
            write!(self.to, "{before}{text}{after}").map_err(CliError::from_stdout)?;
        }
        Ok(())
    }

    /// Writes one value as one line of JSON.
    pub(crate) fn json_line(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        self.json_text(&serde_json::to_string(value).map_err(CliError::Json)?)
    }

    /// Writes one value as indented JSON.
    pub(crate) fn json_page(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        self.json_text(&serde_json::to_string_pretty(value).map_err(CliError::Json)?)
    }

    fn json_text(&mut self, text: &str) -> Result<(), CliError> {
        writeln!(self.to, "{}", shown::json(text)).map_err(CliError::from_stdout)
    }

    /// Hands everything written so far to the reader.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.to.flush().map_err(CliError::from_stdout)
    }

    /// `text` in bold, where that can be shown.
    pub(crate) fn bold(&self, text: impl Display) -> Text {
        self.styled(text, "\x1b[1m")
    }

    /// `text` in a fainter colour, where that can be shown.
    pub(crate) fn dim(&self, text: impl Display) -> Text {
        self.styled(text, "\x1b[2m")
    }

    fn styled(&self, text: impl Display, before: &'static str) -> Text {
        Text::styled(text, if self.colour { [before, "\x1b[0m"] } else { ["", ""] })
    }
}
