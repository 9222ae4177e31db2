//! Installers, and the notes of the version.

use std::fs;

use super::VERSION;
use crate::error::{TaskError, at};
use crate::program::project;

const SHELL: &str = include_str!("installer.sh");
const POWERSHELL: &str = include_str!("installer.ps1");

/// A text file of the release, and what returns its content.
type Text = (&'static str, fn() -> Result<String, TaskError>);

pub(super) const TEXTS: [Text; 3] = [
    ("cardsharp-installer.sh", || Ok(installer(SHELL))),
    ("cardsharp-installer.ps1", || Ok(installer(POWERSHELL))),
    ("NOTES.md", notes),
];

fn installer(text: &str) -> String {
    text.replace("REPOSITORY", env!("CARGO_PKG_REPOSITORY")).replace("VERSION", VERSION)
}

/// Returns the section of this version in the change log, without its title.
fn notes() -> Result<String, TaskError> {
    let path = project().join("CHANGELOG.md");
    let text = fs::read_to_string(&path).map_err(at(path))?;
    section(&text).ok_or(TaskError::Notes)
}

fn section(text: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("\n## {VERSION} "))?;
    let (_, rest) = rest.split_once('\n')?;
    Some(format!("{}\n", rest.split("\n## ").next()?.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_the_section_of_this_version() {
        let text = format!(
            "# Changes\n\n## 9.9.9 — later\n\nNo.\n\n## {VERSION} — 2026-11-28\n\n- Yes.\n\n## 0.0.1 — before\n"
        );
        assert_eq!(section(&text).as_deref(), Some("- Yes.\n"));
        assert!(notes().is_ok_and(|notes| !notes.is_empty()));
    }

    /// A release of one archive in a folder, with a script as the program.
    #[cfg(unix)]
    #[test]
    fn the_installer_checks_the_sum_before_it_installs() {
        use std::path::Path;
        use std::process::{Command, Output};

        use crate::dist::Dist;
        use crate::dist::archive::{ArchiveFile, pack};
        use crate::dist::platform::Platform;
        use crate::release::sums;

        fn install(folder: &Path) -> Output {
            let mut shell = Command::new("sh");
            shell.arg(folder.join("installer.sh"));
            // The folder for the program may be a relative path.
            shell.current_dir(folder).env("CARDSHARP_DOWNLOADS", folder).env("CARDSHARP_BIN", "bin");
            shell.output().expect("a shell")
        }
        let platform = match (std::env::consts::OS, std::env::consts::ARCH) {
            ("linux", "x86_64") => Platform::LinuxX86,
            ("linux", "aarch64") => Platform::LinuxArm,
            ("macos", "aarch64") => Platform::MacArm,
            ("macos", "x86_64") => Platform::MacX86,
            // There is no archive for it.
            _ => return,
        };
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let script = b"#!/bin/sh\necho played\n".to_vec();
        let program = ArchiveFile { path: "cardsharp".to_owned(), bytes: script, runs: true };
        let archive = pack(folder, &Dist::players(platform).folder(), vec![program]).expect("packed");
        fs::write(folder.join("installer.sh"), installer(SHELL)).expect("written");
        sums::write(folder, "0123").expect("sums");

        let done = install(folder);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let played = Command::new(folder.join("bin/cardsharp")).output().expect("the program");
        assert_eq!(played.stdout, b"played\n");

        fs::remove_file(folder.join("bin/cardsharp")).expect("removed");
        let mut bytes = fs::read(&archive).expect("read");
        *bytes.last_mut().expect("bytes") ^= 1;
        fs::write(&archive, bytes).expect("written");
        let refused = install(folder);
        assert_eq!(refused.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("does not have the checksum"));
        assert!(!folder.join("bin/cardsharp").exists());
    }

    #[test]
    fn installers_name_this_version_and_the_repository() {
        for text in [SHELL, POWERSHELL].map(installer) {
            assert!(
                text.contains(VERSION) && !text.contains("VERSION=VERSION") && !text.contains("REPOSITORY")
            );
        }
    }
}
