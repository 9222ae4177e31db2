//! Files named on the command line and standard input, read by [`text`]. Neither is trusted to end: every read has a limit.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use cardsharp_bot::disk;
use cardsharp_bot::text::{self, TextError, UTF16};

use crate::shown::quoted;

/// The most of a file of rules, of an endgame or of a view that is read, in bytes.
pub(crate) const SMALL: u64 = 1 << 20;
/// The most of a file of contests, or of the record of a run, that is read, in bytes.
pub(crate) const LARGE: u64 = 256 << 20;
/// The longest line of a trace, in bytes.
pub(crate) const TRACE_LINE: u64 = 1 << 20;
/// The longest line that is typed, in bytes.
const TYPED_LINE: u64 = 64 << 10;

/// Why a text cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    /// The system does not give it.
    #[error("cannot read {}: {source}", quoted(name))]
    Read {
        /// The file, or standard input.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// It does not end.
    #[error("{} is too large: expected at most {most} bytes", quoted(name))]
    TooLarge {
        /// The file, or standard input.
        name: String,
        /// The limit.
        most: u64,
    },
    /// A line does not end.
    #[error("{}: line {line} is too long: expected at most {most} bytes", quoted(name))]
    LongLine {
        /// The file, or standard input.
        name: String,
        /// The line, from 1.
        line: usize,
        /// The limit.
        most: u64,
    },
    /// A line that somebody types does not end.
    #[error("a line on standard input is too long: expected at most {TYPED_LINE} bytes")]
    LongTyped,
    /// It is UTF-16.
    #[error("{}: {UTF16}", quoted(name))]
    Utf16 {
        /// The file, or standard input.
        name: String,
    },
    /// It is no text.
    #[error("{}: line {line} is not UTF-8 text", quoted(name))]
    NoText {
        /// The file, or standard input.
        name: String,
        /// The line, from 1.
        line: usize,
    },
}

impl InputError {
    /// Why the input that messages call `name` cannot be read.
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

/// What messages call the input at a path.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// The text of a file, or of standard input for `-`: at most `most` bytes.
pub(crate) fn read_text(path: &Path, most: u64) -> Result<String, InputError> {
    if path == Path::new("-") { whole(io::stdin().lock(), name(path), most) } else { read_file(path, most) }
}

/// The text of a file: at most `most` bytes.
pub(crate) fn read_file(path: &Path, most: u64) -> Result<String, InputError> {
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => whole(file, name, most),
        Err(source) => Err(InputError::of(name, source.into())),
    }
}

fn whole(from: impl Read, name: String, most: u64) -> Result<String, InputError> {
    text::read(from, most).map_err(|error| InputError::of(name, error))
}

/// A text read line by line, of which no more than a line is kept.
pub(crate) struct Lines {
    name: String,
    from: Box<dyn BufRead>,
    most: u64,
    /// Lines read so far.
    read: usize,
}

impl Lines {
    /// The lines of a file, or of standard input for `-`, of at most `most` bytes each.
    pub(crate) fn open(path: &Path, most: u64) -> Result<Self, InputError> {
        let from = match path == Path::new("-") {
            true => text::open(io::stdin().lock()),
            false => File::open(path).map_err(TextError::from).and_then(text::open),
        };
        match from {
            Ok(from) => Ok(Self { name: name(path), from, most, read: 0 }),
            Err(error) => Err(InputError::of(name(path), error)),
        }
    }

    /// The lines of a text that was read.
    pub(crate) fn of(name: &str, text: Vec<u8>, most: u64) -> Self {
        let from = Box::new(io::Cursor::new(text));
        Self { name: name.to_owned(), from, most, read: 0 }
    }

    /// The number of the line that was read last, from 1.
    pub(crate) fn number(&self) -> usize {
        self.read
    }

    /// The next line that is not blank, without its end; none after the last.
    pub(crate) fn next(&mut self) -> Result<Option<String>, InputError> {
        loop {
            match self.line()? {
                Some(line) if line.trim().is_empty() => {}
                other => return Ok(other),
            }
        }
    }

    /// The next line without its end; none after the last.
    fn line(&mut self) -> Result<Option<String>, InputError> {
        self.read += 1;
        let (name, line, most) = (|| self.name.clone(), self.read, self.most);
        match line_of(self.from.as_mut(), most) {
            Err(source) => Err(InputError::of(name(), source.into())),
            Ok(None) => Ok(None),
            Ok(Some(bytes)) if bytes.len() as u64 > most => {
                Err(InputError::LongLine { name: name(), line, most })
            }
            Ok(Some(bytes)) => {
                String::from_utf8(bytes).map(Some).map_err(|_| InputError::NoText { name: name(), line })
            }
        }
    }
}

/// The next line without its end, no more of it than shows that it is longer than `most` bytes; none after the last.
fn line_of(from: &mut dyn BufRead, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // The end of a line, of at most two bytes, is not counted.
    if from.take(most + 2).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    for end in [b'\n', b'\r'] {
        if bytes.last() == Some(&end) {
            bytes.pop();
        }
    }
    Ok(Some(bytes))
}

/// The next line that somebody types, none at the end of the input. What is not UTF-8 in it is replaced by
/// [`char::REPLACEMENT_CHARACTER`], which no move has in its name.
pub(crate) fn typed() -> Result<Option<String>, InputError> {
    match line_of(&mut io::stdin().lock(), TYPED_LINE) {
        Err(source) => Err(InputError::Read { name: name(Path::new("-")), source }),
        Ok(None) => Ok(None),
        Ok(Some(bytes)) if bytes.len() as u64 > TYPED_LINE => Err(InputError::LongTyped),
        Ok(Some(bytes)) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_end_is_refused_with_its_name_and_limit() {
        let zero = Path::new("/dev/zero");
        let message = read_file(zero, 1000).unwrap_err().to_string();
        assert_eq!(message, "/dev/zero is too large: expected at most 1000 bytes");
        let message = Lines::open(zero, 1000).unwrap().next().unwrap_err().to_string();
        assert_eq!(message, "/dev/zero: line 1 is too long: expected at most 1000 bytes");
    }

    #[test]
    fn limits_are_reached_and_not_passed() {
        let read = |text: &'static [u8], most| whole(text, "rules.toml".to_owned(), most);
        assert_eq!(read(b"1234", 4).unwrap(), "1234");
        assert!(matches!(read(b"12345", 4), Err(InputError::TooLarge { most: 4, .. })));
        for end in ["", "\n", "\r\n"] {
            let mut lines = Lines::of("a trace", format!("1234\n1234{end}").into_bytes(), 4);
            assert_eq!(lines.next().unwrap().as_deref(), Some("1234"));
            assert_eq!(lines.next().unwrap().as_deref(), Some("1234"), "{end:?}");
            assert_eq!(lines.next().unwrap(), None);
        }
        for text in ["12345", "12345\n", "123456789"] {
            let message = Lines::of("a trace", text.into(), 4).next().unwrap_err().to_string();
            assert_eq!(message, "a trace: line 1 is too long: expected at most 4 bytes");
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_line() {
        let error = whole(&b"one\ntwo\n\xff\n"[..], "rules.toml".to_owned(), 100).unwrap_err();
        assert_eq!(error.to_string(), "rules.toml: line 3 is not UTF-8 text");
    }

    #[test]
    fn blank_lines_are_skipped_and_counted() {
        let mut lines = Lines::of("a trace", b"\r\n{}\n \t\n\n[]\n\n".to_vec(), 100);
        assert_eq!((lines.next().unwrap().as_deref(), lines.number()), (Some("{}"), 2));
        assert_eq!((lines.next().unwrap().as_deref(), lines.number()), (Some("[]"), 5));
        assert_eq!(lines.next().unwrap(), None);
    }
}
