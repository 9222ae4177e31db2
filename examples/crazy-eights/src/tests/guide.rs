//! The numbers of lines in `docs/your-own-game.md` are those of this game.

use std::path::Path;

/// Lines of Rust in a file, or in all files of a folder.
fn lines(path: &Path) -> usize {
    match path.read_dir() {
        Ok(files) => files.map(|file| lines(&file.unwrap().path())).sum(),
        Err(_) if path.extension().is_none_or(|extension| extension != "rs") => 0,
        Err(_) => std::fs::read_to_string(path).unwrap().lines().count(),
    }
}

#[test]
fn every_file_is_as_long_as_the_guide_says() {
    let guide = include_str!("../../../../docs/your-own-game.md");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table =
        guide.split("## What it takes\n").nth(1).unwrap().lines().filter(|line| line.starts_with("| "));
    let (mut files, mut all) = (0, 0);
    for row in table.skip(2) {
        let columns: Vec<&str> = row.split('|').map(str::trim).collect();
        let told: usize = columns[3].parse().unwrap();
        let names: Vec<&str> = columns[2].split('`').skip(1).step_by(2).collect();
        let found = match columns[1] {
            "all" => all,
            "tests" => names.iter().map(|name| lines(&folder.join(name))).sum(),
            _ => names.iter().map(|name| lines(&folder.join("src").join(name))).sum(),
        };
        match columns[1] {
            "all" => assert_eq!(columns[2], format!("{files} files")),
            "tests" => {}
            _ => (files, all) = (files + names.len(), all + found),
        }
        assert_eq!(told, found, "{row}");
    }
    assert_eq!(all, lines(&folder.join("src")) - lines(&folder.join("src/tests")), "a file is missing");
}
