//! The shipped bots at half precision.

use std::fs;
use std::path::Path;

use cardsharp_bot::beliefs;
use cardsharp_bot::bots::{FILE, levels};
use cardsharp_bot::file;
use cardsharp_env::games::played;

use crate::error::{TaskError, at};
use crate::place::project;

/// Writes a folder for each bot: its network at half precision, its levels, and its model of beliefs if it has one.
pub(crate) fn write(to: &Path) -> Result<(), TaskError> {
    for game in played() {
        let bundle = project().join("checkpoints").join(game.name()).join("bot");
        let folder = to.join(game.name());
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let refused = |source| TaskError::Bot { path: bundle.join(FILE), source };
        let (header, net) = file::read(&bundle.join(FILE)).map_err(refused)?;
        let bytes = file::to_half_bytes(&header, &net).map_err(refused)?;
        fs::write(folder.join(FILE), bytes).map_err(at(folder.join(FILE)))?;
        let model = bundle.join(beliefs::FILE).exists().then_some(beliefs::FILE);
        for name in [Some(levels::FILE), model].into_iter().flatten() {
            let measured = bundle.join(name);
            fs::copy(&measured, folder.join(name)).map_err(at(measured))?;
        }
    }
    Ok(())
}
