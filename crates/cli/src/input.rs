//! Files named on the command line.

use std::io::Read;
use std::path::Path;

use crate::error::CliError;

/// The text of a file, or of standard input for `-`.
pub(crate) fn read_text(path: &Path) -> Result<String, CliError> {
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(CliError::Stdin)?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(|source| CliError::Read { path: path.to_owned(), source })
}
