//! Damaged bundles: every command checks the files that it uses, and the advice of `verify` repairs the bundle.

use std::fs;
use std::path::Path;
use std::process::Command;

use cardsharp_bot::bundle::{MANIFEST, MODEL, Manifest, vectors};

use crate::folder::{cardsharp, success};

/// A folder name that a shell would split.
const BUNDLE: &str = "a bundle";

fn shipped() -> String {
    format!("{}/../../checkpoints/dalmuti/bot", env!("CARGO_MANIFEST_DIR"))
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("written");
}

/// Damages a copy of a bundle, follows the advice of `verify` with more `options`, and verifies the bundle again.
fn heal(whole: &Path, damage: &dyn Fn(&Path), options: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let bundle = folder.path().join(BUNDLE);
    fs::create_dir(&bundle).expect("a folder");
    for entry in fs::read_dir(whole).expect("a bundle") {
        let path = entry.expect("a file").path();
        fs::copy(&path, bundle.join(path.file_name().expect("a name"))).expect("a copy");
    }
    damage(&bundle);
    let refused = cardsharp(folder.path(), &["verify", BUNDLE], None);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    let advised = said.split('`').find_map(|part| part.strip_prefix("cardsharp "));
    let advised = advised.unwrap_or_else(|| panic!("no command in: {said}"));
    let script = format!("'{}' {advised} {options}", env!("CARGO_BIN_EXE_cardsharp"));
    let done = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().expect("it runs");
    assert!(done.status.success(), "{said}\n{script}: {}", String::from_utf8_lossy(&done.stderr));
    let healed = cardsharp(folder.path(), &["verify", BUNDLE], None);
    assert!(healed.status.success(), "{script}: {}", String::from_utf8_lossy(&healed.stderr));
}

#[test]
fn what_verify_advises_heals_what_it_names() {
    let folder = tempfile::tempdir().expect("a folder");
    success(folder.path(), &["export", &shipped(), "--to", "whole", "--json"], None);
    success(folder.path(), &["verify", "whole", "--json"], None);
    let whole = folder.path().join("whole");
    let change = |name: &'static str| {
        move |bundle: &Path| {
            let mut bytes = fs::read(bundle.join(name)).expect("a file");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            write(&bundle.join(name), &bytes);
        }
    };
    let remove =
        |name: &'static str| move |bundle: &Path| fs::remove_file(bundle.join(name)).expect("removed");
    for name in ["actions.json", "card.md", "encoding.json", MODEL, vectors::FILE] {
        heal(&whole, &change(name), "");
        heal(&whole, &remove(name), "");
    }
    heal(&whole, &change("levels.json"), "--deals 800 --playouts 0");
    heal(&whole, &remove("beliefs.safetensors"), "--decisions 2000 --measured 5");
    heal(&whole, &remove(MANIFEST), "");
    // A model of another network, and an encoding of another version of the game, both listed in the manifest.
    heal(&whole, &|bundle| Manifest::add(bundle, MODEL, b"another").expect("written"), "");
    let table = |bundle: &Path| {
        let text = fs::read_to_string(bundle.join("encoding.json")).expect("a table");
        let text = text.replacen("\"cells\": ", "\"cells\": 1", 1);
        Manifest::add(bundle, "encoding.json", text.as_bytes()).expect("written");
    };
    heal(&whole, &table, "");

    // Files that no command can create must be restored or moved away.
    for (damage, advice) in [
        (&change("bot.safetensors") as &dyn Fn(&Path), "; restore it"),
        (&remove("arena.json"), "it is missing; restore it"),
        (&|bundle: &Path| write(&bundle.join("notes.txt"), b"mine"), "; move it out of the folder"),
        (&|bundle: &Path| write(&bundle.join(".writing-card.md"), b"half"), "left it; remove it"),
    ] {
        let copy = folder.path().join("copy");
        success(folder.path(), &["export", "whole", "--to", "copy", "--json"], None);
        damage(&copy);
        let refused = cardsharp(folder.path(), &["verify", "copy"], None);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.trim_end().ends_with(advice), "{said}");
        fs::remove_dir_all(&copy).expect("removed");
    }
}

#[test]
fn a_bundle_that_was_changed_is_no_bot() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    success(at, &["export", &shipped(), "--to", "bot", "--json"], None);
    let view = format!("{}/tests/views/dalmuti-two-left.json", env!("CARGO_MANIFEST_DIR"));
    let advise = |options: &[&str]| {
        let output = cardsharp(at, &[&["advise", "bot"], options].concat(), Some(Path::new(&view)));
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for options in [&[][..], &["--level", "4"], &["--beliefs"]] {
        assert_eq!(advise(options).0, Some(0), "{}", advise(options).1);
    }
    // Damage is detected by the uses of the file; other uses still work.
    let changed = "it was changed after it was written: ";
    for (file, uses, others) in [
        ("levels.json", &["--level", "4"][..], &[&[][..], &["--beliefs"]][..]),
        ("beliefs.safetensors", &["--beliefs"], &[&[], &["--level", "4"]]),
        ("bot.safetensors", &[], &[]),
        ("bot.safetensors", &["--level", "4"], &[]),
    ] {
        let path = at.join("bot").join(file);
        let whole = fs::read(&path).expect("a file");
        let mut bytes = whole.clone();
        match file {
            // An edit in a text editor, after which the file still contains valid levels.
            "levels.json" => {
                let text = String::from_utf8(whole.clone()).expect("text");
                bytes = text.replacen("\"temperature\": ", "\"temperature\": 1", 1).into_bytes();
            }
            _ => *bytes.last_mut().expect("a byte") ^= 1,
        }
        assert_ne!(bytes, whole);
        write(&path, &bytes);
        let (code, said) = advise(uses);
        assert!(code == Some(2) && said.contains(&format!("{file}: {changed}")), "{file}: {code:?} {said}");
        for options in others {
            assert_eq!(advise(options).0, Some(0), "{file} {options:?}");
        }
        write(&path, &whole);
    }
    // The manifest must list the levels.
    let levels = fs::read(at.join("bot/levels.json")).expect("levels");
    success(at, &["export", &format!("{}/bot.safetensors", shipped()), "--to", "plain", "--json"], None);
    write(&at.join("plain/levels.json"), &levels);
    let output = cardsharp(at, &["advise", "plain", "--level", "4"], Some(Path::new(&view)));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("levels.json: the manifest does not list it"), "{said}");

    // Every command that opens a bot checks it, and a checkpoint is checked like a bundle.
    let path = at.join("bot/bot.safetensors");
    let mut bytes = fs::read(&path).expect("a file");
    *bytes.last_mut().expect("a byte") ^= 1;
    write(&path, &bytes);
    for line in [
        "arena dalmuti --bots bot,random --deals 2",
        "play dalmuti --against bot --plain",
        "trace dalmuti --bots search:4+bot",
        "dataset dalmuti --bots bot --sessions 1 --to data",
        "exploit bot --game dalmuti --run run",
        "export bot --to other",
        "levels bot",
    ] {
        let output = cardsharp(at, &line.split(' ').collect::<Vec<_>>(), None);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(changed), "{line}: {said}");
    }
}
