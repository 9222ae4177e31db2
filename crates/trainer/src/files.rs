//! Files that others may have changed: read up to a limit, and known again by what they are.

use std::fs::File;
use std::io;
use std::path::Path;

use cardsharp_bot::disk;
pub(crate) use cardsharp_bot::disk::is_at;
use cardsharp_bot::text::{self, TextError};

/// The text of a file of at most `limit` bytes; none if there are more. A device without an end is such a
/// file.
pub(crate) fn read_text(path: &Path, limit: u64) -> io::Result<Option<String>> {
    let read = match path == Path::new(disk::STANDARD) {
        true => text::read(io::stdin().lock(), limit),
        false => File::open(path).map_err(TextError::from).and_then(|file| text::read(file, limit)),
    };
    match read {
        Ok(text) => Ok(Some(text)),
        Err(TextError::TooLarge { .. }) => Ok(None),
        Err(error) => Err(disk::unopened(path, error.into())),
    }
}
