//! Files that others may have changed: read up to a limit, and known again by what they are.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use cardsharp_bot::disk;

/// The text of a file of at most `limit` bytes; none if there are more. A device without an end is such a
/// file.
pub(crate) fn read_text(path: &Path, limit: u64) -> io::Result<Option<String>> {
    let Some(bytes) = disk::read(path, limit)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8"))
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
