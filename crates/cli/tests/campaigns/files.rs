//! Damages every file of a run and of a bundle in every way. The command must refuse the file with a reason, or give
//! the same result. It must not panic, or silently do something else.

use std::fs;

use cardsharp_env::Draw;
use serde_json::Value;

use super::damage::damaged;
use super::{cardsharp, differing, files_of, said, text, told, trained, tries, write};

#[test]
fn a_damaged_run_is_refused_or_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    trained(&whole);
    let expected = files_of(&whole);
    // The state before the last iteration.
    let mut half = expected.clone();
    half.retain(|name, _| !name.starts_with("bundle/") && !name.starts_with("checkpoints/00000004"));
    let foreign = &expected["checkpoints/00000004/state.json"];

    let (mut refused, mut unharmed) = (0, 0);
    for number in tries(1) {
        for name in half.keys() {
            let mut draw = Draw::new(number, 0);
            let mut files = half.clone();
            files.insert(name.clone(), damaged(&half[name], foreign, &mut draw));
            let run = folder.path().join("damaged");
            write(&run, &files);
            let what = format!("{name}, damage {number}");
            match said(&cardsharp(&["train", "--resume", text(&run), "--json"]), &what) {
                Ok(_) => {
                    let mut differing = differing(&expected, &files_of(&run));
                    // An older checkpoint is not read while there is a complete newer one.
                    differing.retain(|other| other != name || !is_of_an_older_checkpoint(name));
                    assert_eq!(differing, Vec::<String>::new(), "{what}");
                    unharmed += 1;
                }
                Err(_) => refused += 1,
            }
            fs::remove_dir_all(&run).expect("removed");
        }
    }
    println!("{refused} refused, {unharmed} went on to the same bytes");
    assert!(unharmed > 0);
}

fn is_of_an_older_checkpoint(name: &str) -> bool {
    name.starts_with("checkpoints/0") && !name.starts_with("checkpoints/00000003")
}

#[test]
fn a_damaged_bundle_is_refused_or_found_to_be_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    trained(&run);
    let bundle = run.join("bundle");
    let whole = files_of(&bundle);
    let played = told(&["play", "dalmuti", "--seed", "1", "--json"], b"").stdout;
    let lines =
        played.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let turn = lines.into_iter().find(|line| line["line"] == "turn").expect("a turn");
    let view = turn["view"].to_string();
    let advised = |bundle: &str, what: &str| {
        said(&told(&["advise", bundle, "--json"], view.as_bytes()), what).map(|page| nameless(&page))
    };
    let verified = |bundle: &str, what: &str| said(&cardsharp(&["verify", bundle, "--json"]), what);
    let advice = advised(text(&bundle), "advise").expect("advice");
    let found = verified(text(&bundle), "verify").expect("in order");

    for number in tries(4) {
        for name in whole.keys() {
            let mut draw = Draw::new(number, 1);
            let mut files = whole.clone();
            files.insert(name.clone(), damaged(&whole[name], &whole["bot.safetensors"], &mut draw));
            let other = folder.path().join("damaged");
            write(&other, &files);
            let what = format!("{name}, damage {number}");
            match verified(text(&other), &what) {
                Ok(report) => assert_eq!(nameless(&report), nameless(&found), "{what}"),
                Err(refusal) => assert!(refusal.contains(name), "{what}: {refusal}"),
            }
            if let Ok(answer) = advised(text(&other), &what) {
                assert_eq!(answer, advice, "{what}");
            }
            fs::remove_dir_all(&other).expect("removed");
        }
    }
}

/// Returns the output of a command for a bundle, without the bundle's name and the numeric differences.
fn nameless(page: &[u8]) -> Value {
    let mut page: Value = serde_json::from_slice(page).expect("JSON");
    for key in ["bot", "bundle", "difference"] {
        page[key].take();
    }
    page
}
