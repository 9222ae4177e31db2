//! The packages of the crates, and lists of the libraries in programs.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{VERSION, sums};
use crate::error::{TaskError, at};
use crate::place::project;
use crate::program;

/// The crates whose libraries are listed, each with its name in the file's name.
pub(super) const PROGRAMS: [(&str, &str); 3] = [("cli", "command-"), ("python", "python-"), ("wasm", "npm-")];

/// Packs every crate that is published.
pub(super) fn packages(target: &Path, to: &Path) -> Result<(), TaskError> {
    let arguments = ["metadata", "--locked", "--no-deps", "--format-version=1"];
    let metadata = program::output(program::cargo().args(arguments))?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(TaskError::Metadata)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    // `publish = false` is an empty list of registries.
    let public: Vec<&str> = packages
        .filter(|package| package["publish"].is_null())
        .filter_map(|package| package["name"].as_str())
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

/// Returns the libraries of a crate as a CycloneDX document.
pub(super) fn components(krate: &str) -> Result<Vec<u8>, TaskError> {
    let mut cyclonedx = Command::new("cargo-cyclonedx");
    program::present(&cyclonedx, "cargo install cargo-cyclonedx")?;
    let folder = project().join("crates").join(krate);
    // It writes next to the manifest of every crate of the workspace, with this name.
    let name = "cardsharp-release-components";
    let written = format!("{name}.json");
    cyclonedx
        .args(["cyclonedx", "--quiet", "--format=json", "--spec-version=1.5", "--override-filename", name])
        .arg("--manifest-path")
        .arg(folder.join("Cargo.toml"))
        .current_dir(project())
        .env("SOURCE_DATE_EPOCH", sums::time()?);
    program::run(&mut cyclonedx)?;
    let file = folder.join(&written);
    let bytes = fs::read(&file).map_err(at(&file))?;
    fs::remove_file(&file).map_err(at(file))?;
    Ok(bytes)
}
