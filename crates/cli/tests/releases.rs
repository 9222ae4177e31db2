//! Files of every release are still read; see releases/README.md.

use std::fs;
use std::path::{Path, PathBuf};

use crate::folder::{cardsharp, success};

/// Returns the entries of a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort();
    entries
}

/// Returns the folder of each release.
fn releases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/releases");
    let folders: Vec<PathBuf> = entries(&folder).into_iter().filter(|path| path.is_dir()).collect();
    assert!(!folders.is_empty());
    folders
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for path in entries(from) {
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() { copy(&path, &to) } else { fs::copy(&path, to).map(|_| ()).expect("a copy") }
    }
}

#[test]
fn traces_are_replayed() {
    for release in releases() {
        let traces = entries(&release.join("traces"));
        assert!(!traces.is_empty());
        for trace in traces {
            let replayed = success(&release, &["replay", text(&trace), "--json"], None);
            assert_eq!(replayed["trace"]["over"], true, "{}", trace.display());
        }
    }
}

#[test]
fn bundles_are_verified_and_play() {
    for release in releases() {
        let bundle = release.join("run/bundle");
        success(&release, &["verify", text(&bundle), "--json"], None);
        let bots = format!("{},random", text(&bundle));
        let contest = ["arena", "kuhn", "--bots", &bots, "--deals", "4", "--seed", "1", "--json"];
        assert_eq!(success(&release, &contest, None)["report"]["deals"], 4);
    }
}

#[test]
fn runs_are_reported_exported_and_resumed() {
    for release in releases() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        copy(&release.join("run"), &at.join("run"));
        for words in [
            &["report", "run", "--to", "report.html"][..],
            &["export", "run/checkpoints/00000002", "--to", "exported"],
        ] {
            let output = cardsharp(at, words, None);
            assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        let exported = fs::read(at.join("exported/bot.safetensors")).expect("a bot");
        assert_eq!(exported, fs::read(at.join("run/bundle/bot.safetensors")).expect("a bot"));
        let resumed = success(at, &["train", "--resume", "run", "--set", "iterations=3", "--json"], None);
        assert_eq!(resumed["finished"], true);
    }
}
