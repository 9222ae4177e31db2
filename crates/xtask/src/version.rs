//! `cargo xtask version`: sets the version of the next release in every file that has it.

use std::fs;
use std::path::Path;
use std::process::Command;

use clap::Args;

use crate::error::{TaskError, at};
use crate::program::{self, project};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const CITATION: &str = "CITATION.cff";
/// The other files that have the version, except for lock files.
const FILES: [&str; 4] =
    ["Cargo.toml", "crates/python/ray/pyproject.toml", "docs/install.md", "docs/openapi.json"];

#[derive(Args)]
pub(crate) struct Version {
    /// The new version, like 0.2.0
    version: String,
    /// The day of the release, like 2027-01-31, for CITATION.cff
    date: String,
}

impl Version {
    /// Replaces the version in all files, and updates both lock files.
    pub(crate) fn run(&self) -> Result<(), TaskError> {
        for (value, separator) in [(&self.version, '.'), (&self.date, '-')] {
            let numbers: Vec<_> = value.split(separator).map(str::parse::<u32>).collect();
            if numbers.len() != 3 || numbers.iter().any(Result::is_err) {
                return Err(TaskError::Number(value.clone()));
            }
        }
        self.set(&project())?;
        for manifest in ["Cargo.toml", "fuzz/Cargo.toml"] {
            let update = ["update", "--quiet", "--workspace", "--manifest-path", manifest];
            program::run(Command::new("cargo").args(update).current_dir(project()))?;
        }
        Ok(())
    }

    fn set(&self, root: &Path) -> Result<(), TaskError> {
        for name in [CITATION].iter().chain(&FILES) {
            let path = root.join(name);
            let text = fs::read_to_string(&path).map_err(at(&path))?;
            let text = text.replace(VERSION, &self.version);
            let line = |line: &str| match line.split_once(": ") {
                Some(("date-released", _)) if *name == CITATION => format!("date-released: {}\n", self.date),
                _ => format!("{line}\n"),
            };
            fs::write(&path, text.lines().map(line).collect::<String>()).map_err(at(&path))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_gets_the_new_version_and_changes_in_nothing_else() {
        let copy = tempfile::tempdir().expect("a folder");
        let read = |root: &Path, name: &str| fs::read_to_string(root.join(name)).expect("read");
        for name in [CITATION].iter().chain(&FILES) {
            let path = copy.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::copy(project().join(name), path).expect("copied");
        }
        let before = read(&project(), CITATION);
        let date = before.lines().find_map(|line| line.strip_prefix("date-released: ")).expect("a date");
        let set = |version: &str, date: &str| {
            let version = Version { version: version.to_owned(), date: date.to_owned() };
            version.set(copy.path()).expect("written");
        };
        set("98.7.6", "2027-01-31");
        for name in [CITATION].iter().chain(&FILES) {
            let text = read(copy.path(), name);
            assert!(text.contains("98.7.6") && !text.contains(VERSION), "{name}");
            assert_eq!(text.replace("98.7.6", VERSION).replace("2027-01-31", date), read(&project(), name));
        }
        let has = |name: &str, line: &str| {
            assert!(read(copy.path(), name).contains(line), "{name} has no `{line}`")
        };
        has(CITATION, "\nversion: 98.7.6\n");
        has(CITATION, "date-released: 2027-01-31\n");
        has("crates/python/ray/pyproject.toml", "version = \"98.7.6\"");
        has("crates/python/ray/pyproject.toml", "\"cardsharp-rl==98.7.6\"");
    }

    #[test]
    fn the_change_log_has_the_day_of_the_release() {
        let read = |name: &str| fs::read_to_string(project().join(name)).expect("read");
        let citation = read(CITATION);
        let date = citation.lines().find_map(|line| line.strip_prefix("date-released: ")).expect("a date");
        let title = format!("\n## {VERSION} — {date}\n");
        assert!(read("CHANGELOG.md").contains(&title), "CHANGELOG.md has no title `{}`", title.trim());
    }
}
