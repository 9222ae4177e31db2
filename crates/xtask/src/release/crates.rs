//! The packages of the crates, and lists of the libraries in programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{VERSION, sums};
use crate::error::{TaskError, at};
use crate::program::{self, project};

/// The crates whose libraries are listed, each with its name in the file's name.
pub(super) const PROGRAMS: [(&str, &str); 3] =
    [("cardsharp-cli", "command-"), ("cardsharp-python", "python-"), ("cardsharp-wasm", "npm-")];

/// Packs every crate that is published.
pub(super) fn packages(target: &Path, to: &Path) -> Result<(), TaskError> {
    // `publish = false` is an empty list of registries.
    let public: Vec<String> = (members()?.iter())
        .filter(|package| package["publish"].is_null())
        .filter_map(|package| package["name"].as_str().map(str::to_owned))
        .collect();
    let mut cargo = program::cargo();
    cargo.args(["package", "--quiet", "--locked", "--no-verify"]).env("CARGO_TARGET_DIR", target);
    program::run(cargo.args(public.iter().map(|name| format!("--package={name}"))))?;
    for name in public {
        let file = format!("{name}-{VERSION}.crate");
        let from = target.join("package").join(&file);
        fs::copy(&from, to.join(&file)).map_err(at(from))?;
    }
    Ok(())
}

/// Returns the libraries of a crate as a CycloneDX document: those of its default features on all systems.
pub(super) fn components(krate: &str) -> Result<String, TaskError> {
    let mut cyclonedx = Command::new("cargo-cyclonedx");
    program::present(&cyclonedx, "cargo install cargo-cyclonedx")?;
    cyclonedx
        .args(["cyclonedx", "--quiet", "--format=json", "--spec-version=1.5", "--target=all"])
        .args(["--override-filename", "release-components"])
        .current_dir(project())
        .env("SOURCE_DATE_EPOCH", sums::time()?);
    program::run(&mut cyclonedx)?;
    // It writes a file next to the manifest of every member of the workspace.
    let mut wanted = None;
    for package in members()? {
        let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap_or_default());
        let file = manifest.with_file_name("release-components.json");
        if package["name"] == krate {
            wanted = Some(fs::read_to_string(&file).map_err(at(&file))?);
        }
        fs::remove_file(&file).map_err(at(file))?;
    }
    // Its references to members hold the path of the project.
    let root = fs::canonicalize(project()).map_err(at(project()))?;
    let text = wanted.ok_or_else(|| TaskError::NoCrate(krate.to_owned()))?;
    Ok(text.replace(&format!("{}/", root.display()), ""))
}

/// Returns what cargo knows of the members of the workspace.
fn members() -> Result<Vec<Value>, TaskError> {
    let arguments = ["metadata", "--locked", "--no-deps", "--format-version=1"];
    let metadata = program::output(program::cargo().args(arguments))?;
    let mut metadata: Value = serde_json::from_str(&metadata).map_err(TaskError::Metadata)?;
    serde_json::from_value(metadata["packages"].take()).map_err(TaskError::Metadata)
}
