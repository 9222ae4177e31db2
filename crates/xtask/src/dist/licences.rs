//! The licences of the libraries in the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::error::{TaskError, at};
use crate::program;

/// How the names of files with licences and notices start, in capitals.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// Returns a page with the crates that `build` compiles into the program, and each of their licence texts once.
pub(crate) fn page(build: &[&str]) -> Result<String, TaskError> {
    let metadata = program::output(program::cargo().args(["metadata", "--locked", "--format-version=1"]))?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(TaskError::Metadata)?;
    let tree = ["tree", "--locked", "--edges=normal,no-proc-macro", "--prefix=none", "--format={p}"];
    let tree = program::output(program::cargo().args(tree).args(build))?;
    let crates: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let mut page =
        "The program contains these libraries, each under the licence that stands beside it.\n\n".to_owned();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let text = |field: &str| package[field].as_str().unwrap_or_default();
        let name = format!("{} {}", text("name"), text("version"));
        // Crates of this project have no source.
        let used = crates.contains(&format!("{} v{}", text("name"), text("version")).as_str());
        if package["source"].is_null() || !used {
            continue;
        }
        page.push_str(&format!("{name}: {} ({})\n", text("license"), text("repository")));
        if let Some(folder) = Path::new(text("manifest_path")).parent() {
            for words in of(folder)? {
                texts.entry(words).or_default().push(name.clone());
            }
        }
    }
    let mut texts: Vec<_> = texts.into_iter().map(|(words, crates)| (crates, words)).collect();
    texts.sort();
    for (crates, words) in texts {
        page.push_str(&format!("\n{}\n{}\n\n{words}\n", "=".repeat(80), crates.join(", ")));
    }
    Ok(page)
}

/// Reads the licence texts in the folder of a crate.
fn of(folder: &Path) -> Result<Vec<String>, TaskError> {
    let mut texts = Vec::new();
    for file in fs::read_dir(folder).map_err(at(folder))? {
        let path = file.map_err(at(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if path.is_file() && NAMES.iter().any(|begin| name.starts_with(begin)) {
            let words = fs::read(&path).map_err(at(&path))?;
            texts.push(String::from_utf8_lossy(&words).replace("\r\n", "\n").trim().to_owned());
        }
    }
    Ok(texts)
}
