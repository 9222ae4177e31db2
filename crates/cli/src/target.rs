//! Files that are written once the work is done.

use std::path::Path;

use cardsharp_bot::disk;

use crate::error::CliError;

/// Refuses a place in no folder, before the work whose result it is for.
pub(crate) fn check(path: &Path) -> Result<(), CliError> {
    match disk::parent(path).is_dir() {
        true => Ok(()),
        false => Err(CliError::NoFolder { path: path.to_owned() }),
    }
}
