//! Reading of files that other programs may have changed, up to a size limit.

use std::fs::File;
use std::io;
use std::path::Path;

use cardsharp_bot::disk;
pub(crate) use cardsharp_bot::disk::is_at;
use cardsharp_bot::text::{self, TextError};

/// Returns the text of a file of at most `limit` bytes; none if it is longer. A device without an end counts as longer.
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
