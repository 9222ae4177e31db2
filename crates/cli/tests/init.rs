//! `init` writes files to start from.

use std::fs;

use crate::folder::{cardsharp, success};

#[test]
fn the_written_configuration_trains_and_nothing_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let output = cardsharp(at, &["init"], None);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains(" train dalmuti.toml\n"), "{said}");
    assert!(said.contains(" rules dalmuti --rules dalmuti-rules.toml\n"), "{said}");
    let small = "iterations=1 rollout.units=1 rollout.sessions=1 evaluate.deals=2 evaluate.final_deals=2";
    let mut words = vec!["train", "dalmuti.toml", "--run", "run", "--json"];
    words.extend(small.split(' ').flat_map(|field| ["--set", field]));
    assert_eq!(success(at, &words, None)["finished"], true);

    let again = cardsharp(at, &["init", "dalmuti"], None);
    let message = String::from_utf8_lossy(&again.stderr);
    assert_eq!(again.status.code(), Some(2), "{message}");
    assert!(message.contains("dalmuti.toml already exists"), "{message}");
    // Neither file is written if one of them exists.
    fs::write(at.join("taki-rules.toml"), "mine").expect("a file");
    assert_eq!(cardsharp(at, &["init", "taki"], None).status.code(), Some(2));
    assert!(!at.join("taki.toml").exists());
    assert_eq!(fs::read(at.join("taki-rules.toml")).expect("a file"), b"mine");

    let written = success(at, &["init", "taki", "--to", "new/bots", "--json"], None);
    assert_eq!(written["config"], "new/bots/taki.toml");
    let rules = ["rules", "taki", "--rules", "new/bots/taki-rules.toml", "--json"];
    assert_eq!(success(at, &rules, None)["here"], serde_json::json!([]));
}
