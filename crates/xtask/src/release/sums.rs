//! Checksums and provenance of the files of a release.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::VERSION;
use crate::dist::archive;
use crate::error::{TaskError, at};
use crate::program::{self, project};

/// The file with the SHA-256 of all others.
const SUMS: &str = "SHA256SUMS";

/// Returns the commit from which the release is built. Refuses changes that no commit has, and a tag of another version.
pub(super) fn commit() -> Result<String, TaskError> {
    let changed = git(&["status", "--porcelain"])?;
    if !changed.is_empty() {
        return Err(TaskError::Uncommitted(changed));
    }
    let tags = git(&["tag", "--points-at", "HEAD", "v*"])?;
    if !tags.is_empty() && tags.lines().all(|tag| tag != format!("v{VERSION}")) {
        return Err(TaskError::Tag(tags));
    }
    git(&["rev-parse", "HEAD"])
}

/// Returns the time of that commit in Unix seconds: the time in all files, so that they do not depend on the clock.
pub(super) fn time() -> Result<String, TaskError> {
    git(&["log", "-1", "--format=%ct"])
}

fn git(arguments: &[&str]) -> Result<String, TaskError> {
    Ok(program::output(Command::new("git").args(arguments).current_dir(project()))?.trim_end().to_owned())
}

/// Writes the provenance and the checksums of all files in the folder. Returns the names of all files.
pub(super) fn write(folder: &Path, commit: &str) -> Result<Vec<String>, TaskError> {
    let provenance = format!("cardsharp-{VERSION}.provenance.json");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let name = entry.map_err(at(folder))?.file_name().to_string_lossy().into_owned();
        if name != SUMS && name != provenance {
            names.push(name);
        }
    }
    names.sort();
    let digest = |name: &str| archive::digest(&folder.join(name));
    let mut subjects = Vec::new();
    let mut sums = String::new();
    for name in &names {
        let digits = digest(name)?;
        sums += &format!("{digits}  {name}\n");
        subjects.push(json!({ "name": name, "digest": { "sha256": digits } }));
    }
    let compiler = program::output(Command::new("rustc").arg("--version"))?;
    // An in-toto statement in the form of SLSA 1.0. The workflow signs another for the same checksums.
    let statement = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/RELEASING.md"),
                "externalParameters": { "command": "cargo xtask release", "version": VERSION },
                "internalParameters": { "compiler": compiler.trim() },
                "resolvedDependencies": [{
                    "uri": concat!("git+", env!("CARGO_PKG_REPOSITORY")),
                    "digest": { "gitCommit": commit },
                }],
            },
            "runDetails": { "builder": { "id": concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/.ci/release") } },
        },
    });
    let path = folder.join(&provenance);
    fs::write(&path, format!("{statement:#}\n")).map_err(at(path))?;
    sums += &format!("{}  {provenance}\n", digest(&provenance)?);
    let path = folder.join(SUMS);
    fs::write(&path, sums).map_err(at(path))?;
    names.extend([provenance, SUMS.to_owned()]);
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_name_every_file_but_themselves_and_are_the_same_again() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("b"), "abc").expect("written");
        fs::write(folder.path().join("a"), "").expect("written");
        let write = || write(folder.path(), "0123").expect("sums");
        let names = write();
        let sums = || fs::read_to_string(folder.path().join(SUMS)).expect("read");
        let first = sums();
        let listed: Vec<&str> = first.lines().filter_map(|line| line.split("  ").nth(1)).collect();
        assert_eq!(listed, ["a", "b", "cardsharp-0.1.0.provenance.json".replace("0.1.0", VERSION).as_str()]);
        assert!(first.contains("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n"));
        assert_eq!((write(), sums()), (names, first));
    }
}
