//! The floors of every crate are those that DESIGN.md draws: no file names one above its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The project's folder.
fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A crate's drawing in DESIGN.md: the names on each floor, the lowest floor first.
fn drawn(krate: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(project().join("DESIGN.md")).expect("DESIGN.md");
    let begin = format!("```floors of {krate}\n");
    let drawing = text.split(&begin).nth(1).and_then(|rest| rest.split("```").next());
    let lines = drawing.unwrap_or_else(|| panic!("DESIGN.md draws no floors of {krate}")).lines().rev();
    let names = |line: &str| {
        let names = line.split_once("  ").map_or(line, |(names, _)| names);
        names.split(" | ").map(|name| name.trim().to_owned()).collect()
    };
    lines.map(names).collect()
}

/// Files and folders of tests, by stem.
const OF_TESTS: &[&str] = &["tests", "golden"];
/// The same in a game's folder, whose tests share some under `#[cfg(test)]`.
const OF_A_GAMES_TESTS: &[&str] = &["tests", "testing", "golden"];

/// Every file that is compiled into the crate as it ships: none of tests. A game's `testing.rs` is of its tests;
/// the module `testing` at the crate's front door ships.
fn sources(folder: &Path, of_tests: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match () {
            () if of_tests.contains(&stem.as_str()) => {}
            () if path.is_dir() => {
                let is_game = folder.file_name().is_some_and(|name| name == "games");
                sources(&path, if is_game { OF_A_GAMES_TESTS } else { of_tests }, found);
            }
            () if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            () => {}
        }
    }
}

/// The modules of this crate that a file names from the root: `crate::drive::…` is `drive`. Tests inside a
/// file, its comments and what its macros say to other crates do not count.
fn named(text: &str) -> Vec<String> {
    let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code = shipped.lines().map(|line| line.split("//").next().unwrap_or_default().replace("$crate", ""));
    let code = code.collect::<Vec<_>>().join("\n");
    let paths = code.split("crate::").skip(1);
    let word = |path: &str| path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let braced = |path: &str| path.starts_with('{');
    paths
        .flat_map(|path| {
            if braced(path) {
                let inside = path[1..].split('}').next().unwrap_or_default();
                inside.split(',').map(|path| word(path.trim())).collect::<Vec<_>>()
            } else {
                vec![word(path)]
            }
        })
        .collect()
}

/// What a crate's files name that stands above them or beside; and the number of files and of arrows.
fn looked_at(krate: &str) -> (Vec<String>, usize, usize) {
    let floors = drawn(krate);
    let floor: BTreeMap<&str, usize> = floors
        .iter()
        .enumerate()
        .flat_map(|(at, names)| names.iter().map(move |name| (name.as_str(), at)))
        .collect();
    let src = project().join("crates").join(krate).join("src");
    let mut files = Vec::new();
    sources(&src, OF_TESTS, &mut files);
    let (mut wrong, mut arrows) = (Vec::new(), 0);
    for file in &files {
        let place = file.strip_prefix(&src).expect("a file of the crate");
        let parts: Vec<String> =
            place.with_extension("").iter().map(|p| p.to_string_lossy().into_owned()).collect();
        if parts == ["lib"] || parts == ["main"] {
            continue;
        }
        // A game stands in a folder of `games`; the file `games.rs` is the list of all.
        let own = if parts[0] == "games" && parts.len() > 1 { "games/*" } else { parts[0].as_str() };
        let Some(&at) = floor.get(own) else { panic!("{krate}: {own} is on no floor of the drawing") };
        for name in named(&std::fs::read_to_string(file).expect("a source file")) {
            let text = place.display();
            match floor.get(name.as_str()) {
                // From one game to what several share.
                _ if name == "games" && own == "games/*" => {}
                Some(&to) if to < at || name == own => arrows += 1,
                Some(_) => wrong.push(format!("{krate}: {text} names `{name}`")),
                // Macros stand at the crate's front door.
                None if krate == "env" && ["blocks", "choices", "options"].contains(&name.as_str()) => {}
                None => wrong.push(format!("{krate}: {text} names `crate::{name}`, which is on no floor")),
            }
        }
    }
    (wrong, files.len(), arrows)
}

#[test]
fn no_file_names_a_floor_above_its_own() {
    for (krate, least_files, least_arrows) in
        [("env", 150, 300), ("document", 2, 1), ("bot", 35, 50), ("trainer", 30, 60), ("cli", 60, 100)]
    {
        let (wrong, files, arrows) = looked_at(krate);
        assert!(wrong.is_empty(), "upward or sideways: {wrong:#?}");
        assert!(
            files >= least_files && arrows >= least_arrows,
            "{krate}: {arrows} arrows of {files} files were looked at"
        );
    }
}

#[test]
fn an_arrow_upward_is_seen() {
    assert_eq!(named("use crate::drive::session::Session;\n//! crate::any"), ["drive"]);
    assert_eq!(named("use crate::{choices, options};"), ["choices", "options"]);
    assert_eq!(
        named("fn f() { crate::game::x() }\n#[cfg(test)]\nmod tests {\nuse crate::games::GAMES;"),
        ["game"]
    );
}
