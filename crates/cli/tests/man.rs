use std::fs;

use crate::folder::success;

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let written = success(at, &["man", "--to", "share/man1", "--json"], None);
    let files: Vec<&str> =
        written["files"].as_array().expect("files").iter().filter_map(|file| file.as_str()).collect();
    for file in ["cardsharp.1", "cardsharp-play.1", "cardsharp-arena.1", "cardsharp-man.1"] {
        assert!(files.contains(&file), "{file} in {files:?}");
    }
    assert!(!files.contains(&"cardsharp-bench-loop.1"), "{files:?}");
    for file in files {
        let page = fs::read_to_string(at.join("share/man1").join(file)).expect("a page");
        assert!(page.contains(".TH ") && page.contains(".SH NAME"), "{page}");
    }
}
