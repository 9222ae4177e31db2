//! The floors of this crate are those that DESIGN.md draws: no file names one above its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The drawing in DESIGN.md: the names on each floor, the lowest floor first.
fn drawn() -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DESIGN.md");
    let text = std::fs::read_to_string(path).expect("DESIGN.md");
    let drawing = text.split("```floors of env\n").nth(1).and_then(|rest| rest.split("```").next());
    let lines = drawing.expect("DESIGN.md draws the floors of env").lines().rev();
    let names = |line: &str| {
        let names = line.split_once("  ").map_or(line, |(names, _)| names);
        names.split(" | ").map(|name| name.trim().to_owned()).collect()
    };
    lines.map(names).collect()
}

/// Every file that is compiled into the crate as it ships: none of tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match () {
            () if ["tests", "testing", "golden"].contains(&stem.as_str()) => {}
            () if path.is_dir() => sources(&path, found),
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

#[test]
fn no_file_names_a_floor_above_its_own() {
    let floors = drawn();
    let floor: BTreeMap<&str, usize> = floors
        .iter()
        .enumerate()
        .flat_map(|(at, names)| names.iter().map(move |name| (name.as_str(), at)))
        .collect();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let (mut wrong, mut arrows) = (Vec::new(), 0);
    for file in &files {
        let place = file.strip_prefix(&src).expect("a file of the crate");
        let parts: Vec<String> =
            place.with_extension("").iter().map(|p| p.to_string_lossy().into_owned()).collect();
        if parts == ["lib"] {
            continue;
        }
        // A game stands in a folder of `games`; the file `games.rs` is the list of all.
        let own = if parts[0] == "games" && parts.len() > 1 { "games/*" } else { parts[0].as_str() };
        let Some(&at) = floor.get(own) else { panic!("{own} is on no floor of the drawing") };
        for name in named(&std::fs::read_to_string(file).expect("a source file")) {
            let text = place.display();
            match floor.get(name.as_str()) {
                // From one game to what several share.
                _ if name == "games" && own == "games/*" => {}
                Some(&to) if to < at || name == own => arrows += 1,
                Some(_) => wrong.push(format!("{text} names `{name}`")),
                // Macros, and the one type that generic code may name by the crate's front door.
                None if ["options", "choices"].contains(&name.as_str()) => {}
                None => wrong.push(format!("{text} names `crate::{name}`, which is on no floor")),
            }
        }
    }
    assert!(wrong.is_empty(), "upward or sideways: {wrong:#?}");
    assert!(arrows > 300 && files.len() > 150, "{arrows} arrows of {} files were looked at", files.len());
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
