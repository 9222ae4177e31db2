//! Reads text that other programs wrote. Every input of the project goes through this module.
//!
//! It skips a UTF-8 byte order mark, decompresses gzip, and refuses UTF-16 with a remedy. Limits apply to the
//! decompressed text.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use serde::de::{DeserializeOwned, Error};

/// The most bytes that are read to recognize the encoding of an input.
const HEAD: usize = 64;
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Why an input is refused.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TextError {
    /// The system or the decompressor fails.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The input is longer than the limit.
    #[error("it is too large: expected at most {most} bytes")]
    TooLarge { most: u64 },
    /// The input is UTF-16.
    #[error("{UTF16}")]
    Utf16,
    /// The input is neither UTF-8 nor a recognized encoding.
    #[error("line {line} is not UTF-8 text")]
    NotUtf8 {
        /// The line, from 1.
        line: usize,
    },
}

/// The message for UTF-16 input.
pub const UTF16: &str = "it is UTF-16 text, as `>` in PowerShell writes it; expected UTF-8: \
                         write it with `| Out-File -Encoding utf8 FILE`, or convert it with `iconv -f UTF-16 -t UTF-8`";

impl From<TextError> for io::Error {
    fn from(error: TextError) -> Self {
        match error {
            TextError::Read(error) => error,
            TextError::TooLarge { .. } => Self::new(io::ErrorKind::FileTooLarge, error),
            TextError::Utf16 | TextError::NotUtf8 { .. } => Self::new(io::ErrorKind::InvalidData, error),
        }
    }
}

/// Opens an input for streaming, decompressed and without a byte order mark.
///
/// # Errors
/// The system refuses, or the input is UTF-16. Other encodings fail only while the input is read.
pub fn open<'a>(from: impl Read + 'a) -> Result<Box<dyn BufRead + 'a>, TextError> {
    let (head, all) = peek(Box::new(BufReader::new(from)))?;
    if head.starts_with(&GZIP) {
        let (head, all) = peek(Box::new(BufReader::new(MultiGzDecoder::new(all))))?;
        return plain(&head, all);
    }
    plain(&head, all)
}

/// Reads a whole input of at most `most` bytes.
///
/// # Errors
/// The system refuses, the input is longer, or it is not UTF-8.
pub fn read(from: impl Read, most: u64) -> Result<String, TextError> {
    let mut bytes = Vec::new();
    open(from)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(TextError::TooLarge { most });
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        TextError::NotUtf8 { line: 1 + valid.iter().filter(|&&byte| byte == b'\n').count() }
    })
}

/// Reads JSON from the bytes of a file.
///
/// # Errors
/// The bytes are not text, or not the expected JSON.
pub fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    if is_utf16(&bytes[..bytes.len().min(HEAD)]) {
        return Err(serde_json::Error::custom(TextError::Utf16));
    }
    serde_json::from_slice(bytes.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(bytes))
}

/// Returns the first bytes of an input, and a reader for all of it.
fn peek<'a>(mut from: Box<dyn BufRead + 'a>) -> io::Result<(Vec<u8>, Box<dyn BufRead + 'a>)> {
    let mut head = Vec::new();
    // Wait for no more than the first line, because a conversation may answer it before the next line comes.
    while head.len() < BYTE_ORDER_MARK.len() && head.last() != Some(&b'\n') {
        let some = from.fill_buf()?;
        let count = some.len().min(HEAD - head.len());
        if count == 0 {
            break;
        }
        head.extend_from_slice(&some[..count]);
        from.consume(count);
    }
    Ok((head.clone(), Box::new(Cursor::new(head).chain(from))))
}

/// Returns an uncompressed input without its byte order mark.
fn plain<'a>(head: &[u8], mut all: Box<dyn BufRead + 'a>) -> Result<Box<dyn BufRead + 'a>, TextError> {
    if is_utf16(head) {
        return Err(TextError::Utf16);
    }
    if head.starts_with(&BYTE_ORDER_MARK) {
        all.read_exact(&mut [0; BYTE_ORDER_MARK.len()])?;
    }
    Ok(all)
}

/// Returns whether an input starts with the byte order mark of UTF-16, or with characters of which every other byte is
/// 0.
fn is_utf16(head: &[u8]) -> bool {
    let (pairs, _) = head.as_chunks::<2>();
    let is_ascii = |high: usize| pairs.iter().all(|pair| pair[high] == 0 && pair[1 - high] != 0);
    head.starts_with(&[0xff, 0xfe])
        || head.starts_with(&[0xfe, 0xff])
        || pairs.len() >= 2 && (is_ascii(0) || is_ascii(1))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use serde_json::{Value, json};

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    fn utf16(text: &str, little: bool) -> Vec<u8> {
        let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn a_byte_order_mark_is_skipped_and_gzip_is_unpacked() {
        let text = "{\"a\": \"é\"}\n";
        let marked = [&BYTE_ORDER_MARK[..], text.as_bytes()].concat();
        // Several gzip members form one file, as in `cat a.gz b.gz`.
        let two = [packed(&marked), packed(b"more\n")].concat();
        assert_eq!(read(text.as_bytes(), 100).expect("text"), text);
        assert_eq!(read(&marked[..], 100).expect("text"), text);
        assert_eq!(read(&packed(&marked)[..], 100).expect("text"), text);
        assert_eq!(read(&two[..], 100).expect("text"), format!("{text}more\n"));
        assert_eq!(from_json::<Value>(&marked).expect("JSON"), json!({ "a": "é" }));
        assert_eq!(read(&b""[..], 100).expect("text"), "");
        assert_eq!(read(&BYTE_ORDER_MARK[..], 0).expect("text"), "");
    }

    #[test]
    fn utf16_is_named_with_the_remedy_with_and_without_its_mark() {
        for text in ["\u{feff}game = \"taki\"\n", "{\"game\": \"taki\"}"] {
            for little in [true, false] {
                for bytes in [utf16(text, little), packed(&utf16(text, little))] {
                    let refused = read(&bytes[..], 1000).expect_err("UTF-16").to_string();
                    assert!(
                        refused.contains("UTF-16") && refused.contains("Out-File -Encoding utf8"),
                        "{refused}"
                    );
                }
            }
        }
        let refused = from_json::<Value>(&utf16("\u{feff}[1]", true)).expect_err("UTF-16").to_string();
        assert!(refused.contains("Out-File"), "{refused}");
    }

    #[test]
    fn limits_hold_for_what_is_unpacked() {
        let bytes = packed(&[b'x'; 1_000_000]);
        assert!(bytes.len() < 10_000);
        assert!(matches!(read(&bytes[..], 999_999), Err(TextError::TooLarge { most: 999_999 })));
        assert_eq!(read(&bytes[..], 1_000_000).expect("text").len(), 1_000_000);
        assert!(matches!(read(io::repeat(b'x'), 1000), Err(TextError::TooLarge { most: 1000 })));
    }

    #[test]
    fn what_is_neither_is_refused_with_its_line() {
        assert!(matches!(read(&b"one\ntwo\n\xff\n"[..], 100), Err(TextError::NotUtf8 { line: 3 })));
        let cut = &packed(b"one\ntwo\n")[..15];
        assert!(matches!(read(cut, 100), Err(TextError::Read(_))));
        // A single NUL does not make a text UTF-16. The reader of the format refuses it.
        assert_eq!(read(&b"a\0b\n"[..], 100).expect("text"), "a\0b\n");
    }

    #[test]
    fn the_first_line_can_be_read_before_there_is_a_second() {
        let (from, mut to) = io::pipe().expect("a pipe");
        to.write_all(b"\n").expect("a pipe");
        let mut lines = open(from).expect("text").lines();
        assert_eq!(lines.next().expect("a line").expect("text"), "");
        to.write_all(b"{}\n").expect("a pipe");
        assert_eq!(lines.next().expect("a line").expect("text"), "{}");
    }
}
