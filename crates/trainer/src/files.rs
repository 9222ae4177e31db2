//! Files that others may have changed: read up to a limit, and known again by what they are.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use cardsharp_bot::disk;
use cardsharp_bot::text::{self, TextError};

/// The text of a file of at most `limit` bytes; none if there are more. A device without an end is such a
/// file.
pub(crate) fn read_text(path: &Path, limit: u64) -> io::Result<Option<String>> {
    match File::open(path).map_err(TextError::from).and_then(|file| text::read(file, limit)) {
        Ok(text) => Ok(Some(text)),
        Err(TextError::TooLarge { .. }) => Ok(None),
        Err(error) => Err(disk::unopened(path, error.into())),
    }
}

/// Whether `path` still leads to `file`, which was opened there.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (held, found) = (file.metadata()?, fs::metadata(path)?);
    Ok((held.dev(), held.ino()) == (found.dev(), found.ino()))
}

/// Whether `path` still leads to `file`, which was opened there: elsewhere a file that is open cannot be
/// replaced.
#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::metadata(path).map(|_| true)
}
