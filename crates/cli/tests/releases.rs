//! Files of every release are still read; see releases/README.md.

use std::fs;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;

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

/// Returns the choices in the lines of a trace.
fn choices(trace: &str) -> Vec<String> {
    let lines = trace.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter_map(|line| line["choice"].as_str().map(str::to_owned)).collect()
}

#[test]
fn networks_choose_the_moves_of_their_release() {
    for release in releases() {
        let mut games = Vec::new();
        for network in entries(&release.join("networks")) {
            if network.extension().is_none_or(|extension| extension != "safetensors") {
                continue;
            }
            let game = text(Path::new(network.file_stem().expect("a name"))).to_owned();
            let trace = fs::File::open(network.with_extension("jsonl.gz")).expect("a trace");
            let before = std::io::read_to_string(GzDecoder::new(trace)).expect("a trace");
            let words = ["trace", &game, "--bots", text(&network), "--rounds", "1", "--seed", "7"];
            let output = cardsharp(&release, &words, None);
            assert!(output.status.success(), "{game}: {}", String::from_utf8_lossy(&output.stderr));
            let before = choices(&before);
            assert!(before.len() > 10, "{game}");
            assert_eq!(choices(&String::from_utf8(output.stdout).expect("UTF-8")), before, "{game}");
            games.push(game);
        }
        assert_eq!(games, ["dalmuti", "tachtigen", "tahimi", "taki"]);
    }
}

#[test]
fn bundles_are_verified_and_play() {
    for release in releases() {
        let bundle = release.join("run/bundle");
        success(&release, &["verify", text(&bundle), "--json"], None);
        let bots = format!("{},random", text(&bundle));
        let contest = ["arena", "kuhn", "--bots", &bots, "--deals", "4", "--seed", "1", "--json"];
        assert_eq!(success(&release, &contest, None)["deals"], 4);
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
