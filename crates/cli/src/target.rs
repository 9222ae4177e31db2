//! Files that commands write.

use std::io;
use std::path::{Path, PathBuf};

use cardsharp_bot::disk;

use crate::error::CliError;

/// Refuses a folder, and a file in a missing folder, before the work whose result is written there.
pub(crate) fn check(path: &Path) -> Result<(), CliError> {
    if disk::is_stdout(path) {
        return Ok(());
    }
    if path.is_dir() {
        let source = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; expected a file");
        return Err(CliError::Write { path: path.to_owned(), source });
    }
    match disk::parent(path).is_dir() {
        true => Ok(()),
        false => Err(CliError::NoFolder { path: path.to_owned() }),
    }
}

/// Writes a file, or to standard output for `-`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    disk::replace(path, bytes).map_err(refused(path))
}

/// Returns the error for a file that cannot be written.
pub(crate) fn refused(path: &Path) -> impl Fn(io::Error) -> CliError {
    move |source| match disk::is_stdout(path) {
        true => CliError::from_stdout(source),
        false => CliError::Write { path: path.to_owned(), source },
    }
}

/// Refuses `-` for a folder.
pub(crate) fn folder(path: PathBuf) -> Result<PathBuf, &'static str> {
    match path == Path::new(disk::STANDARD) {
        true => Err("expected a folder; for a folder named `-`, use `./-`"),
        false => Ok(path),
    }
}
