use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::bots;
use crate::engine::{self, ENGINE};
use crate::error::{TaskError, at};
use crate::program::project;
use crate::typescript;

/// The `package.json`. The order of the conditions in its exports matters.
const MANIFEST: &str = include_str!("package/package.json");
/// The module for browsers and bundlers, which loads the engine.
const BROWSER: &str = include_str!("package/index.js");
/// The same for Node.js.
const NODE: &str = include_str!("package/node.js");
/// The types of both.
const TYPES: &str = include_str!("package/index.d.ts");
/// The check of deals, the trained bots for browsers and for node, and their types.
const MORE: [(&str, &str); 5] = [
    ("deals.js", include_str!("package/deals.js")),
    ("deals.d.ts", include_str!("package/deals.d.ts")),
    ("bots.js", include_str!("package/bots.js")),
    ("bots.node.js", include_str!("package/bots.node.js")),
    ("bots.d.ts", include_str!("package/bots.d.ts")),
];

#[derive(Args)]
pub(crate) struct Engine {
    /// Path of Binaryen's wasm-opt, which makes the engine 10 % smaller
    #[arg(long, value_name = "PROGRAM")]
    wasm_opt: Option<PathBuf>,
}

/// Builds the package, with its engine and the trained bots, in a folder of `web`. Returns its path.
pub(crate) fn build(target: &Path, web: &Path, engine: &Engine) -> Result<PathBuf, TaskError> {
    let package = web.join("cardsharp");
    engine::build(target, &package, engine.wasm_opt.as_deref())?;
    write(&package)?;
    bots::write(&package.join("bots"))?;
    Ok(package)
}

/// Writes the files around the engine in `folder`.
fn write(folder: &Path) -> Result<(), TaskError> {
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(at(path))
    };
    put("index.js", BROWSER)?;
    put("node.js", NODE)?;
    put("index.d.ts", TYPES)?;
    for (name, text) in MORE {
        put(name, text)?;
    }
    put(
        "package.json",
        &MANIFEST
            .replace("VERSION", env!("CARGO_PKG_VERSION"))
            .replace("REPOSITORY", env!("CARGO_PKG_REPOSITORY")),
    )?;
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
