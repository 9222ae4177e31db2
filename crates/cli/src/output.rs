//! Standard output: text for people, JSON for programs, and no error if the reader has closed it.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use cardsharp_bot::disk::{self, Writer};
use cardsharp_env::{Piece, Tint};
use cardsharp_text::escape;
use serde::Serialize;

use crate::error::CliError;
use crate::files;
use crate::terminal::{self, OutputStream};

/// Refuses `-` for a file if `--json` prints something else to standard output.
pub(crate) fn check_stdout(path: &Path, out: &Output) -> Result<(), CliError> {
    if !disk::is_stdout(path) || !out.json {
        return Ok(());
    }
    let expected = "expected a file: --json prints to standard output".to_owned();
    Err(CliError::Option { option: "--to", given: path.display().to_string(), expected })
}

/// A text in parts. Only the program sets their styles.
pub(crate) struct StyledText(Vec<Part>);

struct Part {
    /// Control characters before and after the part.
    style: [&'static str; 2],
    text: String,
}

impl StyledText {
    pub(crate) fn empty() -> Self {
        Self(Vec::new())
    }

    /// Returns the text with the control characters of its styles.
    pub(crate) fn written(&self) -> String {
        self.0
            .iter()
            .map(|Part { style: [before, after], text }| format!("{before}{}{after}", escape::page(text)))
            .collect()
    }

    fn styled(text: impl Display, style: [&'static str; 2]) -> Self {
        Self(vec![Part { style, text: text.to_string() }])
    }

    pub(crate) fn then(mut self, other: impl Into<Self>) -> Self {
        self.0.extend(other.into().0);
        self
    }
}

impl<T: Display> From<T> for StyledText {
    fn from(text: T) -> Self {
        Self::styled(text, ["", ""])
    }
}

pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) colour: bool,
    /// Whether text is written in ASCII characters only.
    pub(crate) ascii: bool,
    /// Columns of the terminal; `None` if the output goes elsewhere.
    columns: Option<usize>,
    to: BufWriter<Sink>,
    /// The file that replaces standard output.
    file: Option<PathBuf>,
}

enum Sink {
    File(Writer),
    Other(Box<dyn Write + Send>),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(to) => to.write(bytes),
            Self::Other(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(to) => to.flush(),
            Self::Other(to) => to.flush(),
        }
    }
}

impl Output {
    /// Writes to standard output.
    pub(crate) fn stdout(json: bool) -> Self {
        let (colour, columns) = (OutputStream::Out.has_color(), OutputStream::Out.columns());
        Self {
            json,
            colour,
            ascii: false,
            columns,
            to: BufWriter::new(Sink::Other(Box::new(io::stdout()))),
            file: None,
        }
    }

    /// Writes to a file that [`Output::finish`] creates. `-` is standard output.
    pub(crate) fn file(path: &Path, json: bool) -> Result<Self, CliError> {
        if disk::is_stdout(path) {
            return Ok(Self::stdout(json));
        }
        files::check(path)?;
        let to = Writer::create(path).map_err(files::refused(path))?;
        let colour = terminal::is_color_forced();
        Ok(Self {
            json,
            colour,
            ascii: false,
            columns: None,
            to: BufWriter::new(Sink::File(to)),
            file: Some(path.to_owned()),
        })
    }

    /// Writes text to another writer.
    pub(crate) fn text_to(to: Box<dyn Write + Send>, colour: bool) -> Self {
        Self {
            json: false,
            colour,
            ascii: false,
            columns: None,
            to: BufWriter::new(Sink::Other(to)),
            file: None,
        }
    }

    pub(crate) fn line(&mut self, text: impl Into<StyledText>) -> Result<(), CliError> {
        self.text(text.into().then("\n"))
    }

    /// Writes text that includes its line ends. For a terminal, lines are broken between words.
    pub(crate) fn text(&mut self, text: impl Into<StyledText>) -> Result<(), CliError> {
        let text = self.shown(text.into());
        let text = self.columns.map_or_else(|| text.clone(), |columns| terminal::fit(&text, columns));
        write!(self.to, "{text}").map_err(|error| self.refused(error))
    }

    /// Writes a line with a command, unbroken so that it can be copied.
    pub(crate) fn command(&mut self, text: impl Into<StyledText>) -> Result<(), CliError> {
        writeln!(self.to, "{}", self.shown(text.into())).map_err(|error| self.refused(error))
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
        writeln!(self.to, "{}", escape::json(text)).map_err(|error| self.refused(error))
    }

    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.to.flush().map_err(|error| self.refused(error))
    }

    /// Writes the rest, and completes the file.
    pub(crate) fn finish(mut self) -> Result<(), CliError> {
        self.flush()?;
        let Self { to, file, .. } = self;
        match (to.into_inner(), file) {
            (Ok(Sink::File(to)), Some(path)) => to.finish().map_err(files::refused(&path)),
            _ => Ok(()),
        }
    }

    fn refused(&self, error: io::Error) -> CliError {
        match &self.file {
            Some(path) => files::refused(path)(error),
            None => CliError::from_stdout(error),
        }
    }

    /// Makes `text` bold, if colors are enabled.
    pub(crate) fn bold(&self, text: impl Display) -> StyledText {
        self.styled(text, "\x1b[1m")
    }

    /// Makes `text` faint, if colors are enabled.
    pub(crate) fn dim(&self, text: impl Display) -> StyledText {
        self.styled(text, "\x1b[2m")
    }

    /// Joins pieces of text in their colors, if colors are enabled.
    pub(crate) fn joined(&self, pieces: impl IntoIterator<Item = Piece>) -> StyledText {
        pieces.into_iter().fold(StyledText::empty(), |all, piece| {
            let before = match piece.tint {
                Some(Tint::Red) => "\x1b[91m",
                Some(Tint::Blue) => "\x1b[94m",
                Some(Tint::Green) => "\x1b[92m",
                Some(Tint::Yellow) => "\x1b[93m",
                None => return all.then(piece.text),
            };
            all.then(self.styled(piece.text, before))
        })
    }

    /// Returns a text in the characters that the reader can see.
    fn shown(&self, text: StyledText) -> String {
        let text = text.written();
        if self.ascii { text.chars().map(cardsharp_tui::ascii).collect() } else { text }
    }

    fn styled(&self, text: impl Display, before: &'static str) -> StyledText {
        StyledText::styled(text, if self.colour { [before, "\x1b[0m"] } else { ["", ""] })
    }
}
