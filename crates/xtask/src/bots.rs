//! The trained bots in the npm package, at half precision.

use std::fs;
use std::path::Path;

use cardsharp_bot::beliefs;
use cardsharp_bot::bots::{FILE, levels};
use cardsharp_bot::file;
use cardsharp_env::games::played;

use crate::error::{TaskError, at};
use crate::program::project;

/// The JavaScript module with the URLs of the files.
const URLS: &str = "urls.js";

/// Writes a folder for each bot: its network at half precision, its levels, and its belief model if it has one. `urls.js`
/// lists the URLs of all files. Bundlers find files only by literal URLs.
pub(crate) fn write(to: &Path) -> Result<(), TaskError> {
    let mut urls = "// Where the files of each bot are.\nexport const URLS = {\n".to_owned();
    for game in played() {
        let bundle = project().join("checkpoints").join(game.name()).join("bot");
        let folder = to.join(game.name());
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let refused = |source| TaskError::Bot { path: bundle.join(FILE), source };
        let (header, net) = file::read(&bundle.join(FILE)).map_err(refused)?;
        let bytes = file::to_half_bytes(&header, &net).map_err(refused)?;
        fs::write(folder.join(FILE), bytes).map_err(at(folder.join(FILE)))?;
        let model = bundle.join(beliefs::FILE).exists().then_some(beliefs::FILE);
        let others: Vec<&str> = [Some(levels::FILE), model].into_iter().flatten().collect();
        for name in &others {
            let measured = bundle.join(name);
            fs::copy(&measured, folder.join(name)).map_err(at(measured))?;
        }
        urls += &format!("    {}: {{\n", game.name());
        for name in [FILE].iter().chain(&others) {
            urls += &format!("        \"{name}\": new URL(\"./{}/{name}\", import.meta.url),\n", game.name());
        }
        urls += "    },\n";
    }
    urls += "};\n";
    fs::write(to.join(URLS), urls).map_err(at(to.join(URLS)))
}
