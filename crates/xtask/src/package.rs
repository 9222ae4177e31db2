//! The files of the npm package except the engine.

use std::fs;
use std::path::Path;

use crate::engine::ENGINE;
use crate::error::{TaskError, at};
use crate::place::project;
use crate::typescript;

/// The `package.json`. The order of the conditions in its exports matters.
const MANIFEST: &str = include_str!("package/package.json");
/// The module for browsers and bundlers, which loads the engine.
const BROWSER: &str = include_str!("package/index.js");
/// The same for Node.js.
const NODE: &str = include_str!("package/node.js");
/// The types of both.
const TYPES: &str = include_str!("package/index.d.ts");
/// The trained bots for browsers, for node, and their types.
const BOTS: [(&str, &str); 3] = [
    ("bots.js", include_str!("package/bots.js")),
    ("bots.node.js", include_str!("package/bots.node.js")),
    ("bots.d.ts", include_str!("package/bots.d.ts")),
];

/// Writes the package around the engine in `folder`.
pub(crate) fn write(folder: &Path) -> Result<(), TaskError> {
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(at(path))
    };
    put("index.js", BROWSER)?;
    put("node.js", NODE)?;
    put("index.d.ts", TYPES)?;
    for (name, text) in BOTS {
        put(name, text)?;
    }
    put("package.json", &MANIFEST.replace("VERSION", env!("CARGO_PKG_VERSION")))?;
    let types = folder.join(format!("{ENGINE}.d.ts"));
    let classes = fs::read_to_string(&types).map_err(at(&types))?;
    // The classes support `using`. TypeScript has its types in a library that projects need not list.
    let library = "/// <reference lib=\"esnext.disposable\" />";
    put(&format!("{ENGINE}.d.ts"), &format!("{library}\n{classes}\n{}", typescript::types()?))?;
    for (from, to) in [
        ("crates/wasm/README.md", "README.md"),
        ("LICENSE-MIT", "LICENSE-MIT"),
        ("LICENSE-APACHE", "LICENSE-APACHE"),
    ] {
        let from = project().join(from);
        fs::copy(&from, folder.join(to)).map_err(at(from))?;
    }
    Ok(())
}
