//! Reads files and standard input. Any input may be endless, so every read has a limit, and errors name the input.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use cardsharp_bot::disk;
use cardsharp_bot::text::{self, TextError, UTF16};

use crate::escape::quoted;

/// Maximum size of a file with rules, an endgame or a view, in bytes.
pub const SMALL: u64 = 1 << 20;
/// Maximum size of a file with contests or the metrics of a run, in bytes.
pub const LARGE: u64 = 256 << 20;
/// Maximum length of a line in a trace, in bytes.
pub const TRACE_LINE: u64 = 1 << 20;
/// Maximum length of a typed line, in bytes.
const TYPED_LINE: u64 = 64 << 10;

/// Why an input cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The system cannot read the input.
    #[error("cannot read {}: {source}", quoted(name))]
    Read {
        /// The file, or standard input.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The input is too large.
    #[error("{} is too large: expected at most {most} bytes", quoted(name))]
    TooLarge {
        /// The file, or standard input.
        name: String,
        most: u64,
    },
    /// A line is too long.
    #[error("{}: line {line} is too long: expected at most {most} bytes", quoted(name))]
    LongLine {
        /// The file, or standard input.
        name: String,
        /// The line, from 1.
        line: usize,
        most: u64,
    },
    /// A typed line is too long.
    #[error("a line on standard input is too long: expected at most {TYPED_LINE} bytes")]
    LongTyped,
    /// The input is UTF-16.
    #[error("{}: {UTF16}", quoted(name))]
    Utf16 {
        /// The file, or standard input.
        name: String,
    },
    /// The input is not text.
    #[error("{}: line {line} is not UTF-8 text", quoted(name))]
    NoText {
        /// The file, or standard input.
        name: String,
        /// The line, from 1.
        line: usize,
    },
}

impl InputError {
    /// Converts the error of an input that messages call `name`.
    fn of(name: String, error: TextError) -> Self {
        match error {
            TextError::Read(source) => {
                let source = disk::unopened(Path::new(&name), source);
                Self::Read { name, source }
            }
            TextError::TooLarge { most } => Self::TooLarge { name, most },
            TextError::Utf16 => Self::Utf16 { name },
            TextError::NotUtf8 { line } => Self::NoText { name, line },
        }
    }
}

/// Returns the name of the input at a path, for messages.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads at most `most` bytes of text from a file, or from standard input for `-`.
///
/// # Errors
/// The input cannot be read, is too large, or is not UTF-8 text.
pub fn read_text(path: &Path, most: u64) -> Result<String, InputError> {
    if path == Path::new("-") { whole(io::stdin().lock(), name(path), most) } else { read_file(path, most) }
}

/// Reads at most `most` bytes of text from a file.
///
/// # Errors
/// The file cannot be read, is too large, or is not UTF-8 text.
pub fn read_file(path: &Path, most: u64) -> Result<String, InputError> {
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => whole(file, name, most),
        Err(source) => Err(InputError::of(name, source.into())),
    }
}

fn whole(from: impl Read, name: String, most: u64) -> Result<String, InputError> {
    text::read(from, most).map_err(|error| InputError::of(name, error))
}

/// Reads a text line by line. Only one line is in memory.
pub struct Lines {
    name: String,
    from: Box<dyn BufRead>,
    most: u64,
    /// Lines read so far.
    read: usize,
    /// Whether the last line was too long, and its rest was not read.
    torn: bool,
}

impl Lines {
    /// Opens a file, or standard input for `-`, with lines of at most `most` bytes.
    ///
    /// # Errors
    /// The input cannot be opened, or is UTF-16 text.
    pub fn open(path: &Path, most: u64) -> Result<Self, InputError> {
        let from = match path == Path::new("-") {
            true => text::open(io::stdin().lock()),
            false => File::open(path).map_err(TextError::from).and_then(text::open),
        };
        match from {
            Ok(from) => Ok(Self { name: name(path), from, most, read: 0, torn: false }),
            Err(error) => Err(InputError::of(name(path), error)),
        }
    }

    /// Splits a text in memory into lines.
    pub fn of(name: &str, text: Vec<u8>, most: u64) -> Self {
        let from = Box::new(io::Cursor::new(text));
        Self { name: name.to_owned(), from, most, read: 0, torn: false }
    }

    /// Returns the number of the last line that was read, from 1.
    pub fn number(&self) -> usize {
        self.read
    }

    /// Returns the next nonblank line without its end; `None` after the last.
    ///
    /// # Errors
    /// The input cannot be read, or the line is too long or not UTF-8 text.
    pub fn next_line(&mut self) -> Result<Option<String>, InputError> {
        loop {
            match self.line()? {
                Some(line) if line.trim().is_empty() => {}
                other => return Ok(other),
            }
        }
    }

    /// Returns the next line without its end; `None` after the last. After a line that is too long, continues with the
    /// line after it.
    fn line(&mut self) -> Result<Option<String>, InputError> {
        let name = || self.name.clone();
        if self.torn {
            self.from.skip_until(b'\n').map_err(|source| InputError::of(name(), source.into()))?;
            self.torn = false;
        }
        self.read += 1;
        let (line, most) = (self.read, self.most);
        match line_of(self.from.as_mut(), most) {
            Err(source) => Err(InputError::of(name(), source.into())),
            Ok(None) => Ok(None),
            Ok(Some(Line { bytes, ended })) if bytes.len() as u64 > most => {
                self.torn = !ended;
                Err(InputError::LongLine { name: name(), line, most })
            }
            Ok(Some(Line { bytes, .. })) => {
                String::from_utf8(bytes).map(Some).map_err(|_| InputError::NoText { name: name(), line })
            }
        }
    }
}

/// A line without its end.
struct Line {
    bytes: Vec<u8>,
    /// Whether its end was read.
    ended: bool,
}

/// Reads the next line; `None` after the last. It stops as soon as the line is longer than `most` bytes.
fn line_of(from: &mut dyn BufRead, most: u64) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    // The end of a line has up to two bytes, which do not count.
    if from.take(most + 2).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let ended = bytes.last() == Some(&b'\n');
    for end in [b'\n', b'\r'] {
        if bytes.last() == Some(&end) {
            bytes.pop();
        }
    }
    Ok(Some(Line { bytes, ended }))
}

/// Reads the next typed line; `None` at the end of the input. Invalid UTF-8 becomes [`char::REPLACEMENT_CHARACTER`],
/// which is in no name of a move.
///
/// # Errors
/// Standard input cannot be read, or the line is too long.
pub fn typed() -> Result<Option<String>, InputError> {
    match line_of(&mut io::stdin().lock(), TYPED_LINE) {
        Err(source) => Err(InputError::Read { name: name(Path::new("-")), source }),
        Ok(None) => Ok(None),
        Ok(Some(Line { bytes, .. })) if bytes.len() as u64 > TYPED_LINE => Err(InputError::LongTyped),
        Ok(Some(Line { bytes, .. })) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_input_is_refused_with_its_name_and_limit() {
        let zero = Path::new("/dev/zero");
        let message = read_file(zero, 1000).unwrap_err().to_string();
        assert_eq!(message, "/dev/zero is too large: expected at most 1000 bytes");
        let message = Lines::open(zero, 1000).unwrap().next_line().unwrap_err().to_string();
        assert_eq!(message, "/dev/zero: line 1 is too long: expected at most 1000 bytes");
    }

    #[test]
    fn limits_include_their_last_byte() {
        let read = |text: &'static [u8], most| whole(text, "rules.toml".to_owned(), most);
        assert_eq!(read(b"1234", 4).unwrap(), "1234");
        assert!(matches!(read(b"12345", 4), Err(InputError::TooLarge { most: 4, .. })));
        for end in ["", "\n", "\r\n"] {
            let mut lines = Lines::of("a trace", format!("1234\n1234{end}").into_bytes(), 4);
            assert_eq!(lines.next_line().unwrap().as_deref(), Some("1234"));
            assert_eq!(lines.next_line().unwrap().as_deref(), Some("1234"), "{end:?}");
            assert_eq!(lines.next_line().unwrap(), None);
        }
        for text in ["12345", "12345\n", "123456789"] {
            let message = Lines::of("a trace", text.into(), 4).next_line().unwrap_err().to_string();
            assert_eq!(message, "a trace: line 1 is too long: expected at most 4 bytes");
        }
    }

    #[test]
    fn a_long_line_does_not_hide_the_next_one() {
        for long in ["12345", "123456", "12345\r", "1234567\r", "123456789"] {
            let mut lines = Lines::of("a trace", format!("{long}\n1\n{long}").into_bytes(), 4);
            assert!(matches!(lines.next_line(), Err(InputError::LongLine { line: 1, .. })), "{long:?}");
            assert_eq!(lines.next_line().unwrap().as_deref(), Some("1"), "{long:?}");
            assert!(matches!(lines.next_line(), Err(InputError::LongLine { line: 3, .. })), "{long:?}");
            assert_eq!(lines.next_line().unwrap(), None, "{long:?}");
        }
    }

    #[test]
    fn invalid_utf8_is_refused_with_its_line() {
        let error = whole(&b"one\ntwo\n\xff\n"[..], "rules.toml".to_owned(), 100).unwrap_err();
        assert_eq!(error.to_string(), "rules.toml: line 3 is not UTF-8 text");
    }

    #[test]
    fn blank_lines_are_skipped_and_counted() {
        let mut lines = Lines::of("a trace", b"\r\n{}\n \t\n\n[]\n\n".to_vec(), 100);
        assert_eq!((lines.next_line().unwrap().as_deref(), lines.number()), (Some("{}"), 2));
        assert_eq!((lines.next_line().unwrap().as_deref(), lines.number()), (Some("[]"), 5));
        assert_eq!(lines.next_line().unwrap(), None);
    }
}
