//! Files named on the command line.

use std::io::Read;
use std::path::Path;

use cardsharp_env::games::AnyGame;
use cardsharp_trainer::config;
use serde_json::Value;

use crate::error::CliError;

/// The rules in a TOML file, with the game's defaults filled in.
pub(crate) fn read(game: &dyn AnyGame, path: &Path) -> Result<Value, CliError> {
    Ok(config::read_rules(game, path)?)
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read_text(path: &Path) -> Result<String, CliError> {
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(CliError::Stdin)?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(|source| CliError::Read { path: path.to_owned(), source })
}
