//! Every crate keeps to its layers in docs/layers.md: no file names a module above its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the layers of a crate in docs/layers.md: the names in each layer, the lowest layer first.
fn drawn(krate: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(project().join("docs/layers.md")).expect("docs/layers.md");
    let section = text.split(&format!("\n## {krate}\n")).nth(1);
    let block = section.and_then(|rest| rest.split("```").nth(1));
    let drawing = block.and_then(|block| block.strip_prefix("text\n"));
    let lines = drawing.unwrap_or_else(|| panic!("docs/layers.md draws no layers of {krate}")).lines().rev();
    let names = |line: &str| {
        let names = line.split_once("  ").map_or(line, |(names, _)| names);
        names.split(" | ").map(|name| name.trim().to_owned()).collect()
    };
    lines.map(names).collect()
}

/// Names of test files and folders, without extension.
const OF_TESTS: &[&str] = &["tests"];
/// Collects every source file that ships in the crate, without tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match () {
            () if OF_TESTS.contains(&stem.as_str()) => {}
            () if path.is_dir() => sources(&path, found),
            () if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            () => {}
        }
    }
}

/// Returns the paths in this crate that a file of the module `own` names, cut to two names from the root.
/// `crate::runtime::session::Session` gives `runtime`, `session`, and so does `super::session` in another file of
/// `runtime`. Tests inside the file, comments, `$crate` paths of macros, and visibilities do not count.
fn named(own: &[String], text: &str) -> Vec<Vec<String>> {
    let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = shipped.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n").replace("$crate", "").replace("(in crate", "(");
    let mut found = Vec::new();
    let mut rest = code.as_str();
    while let Some(at) = [rest.find("crate::"), rest.find("super::")].into_iter().flatten().min() {
        let from_root = rest[at..].starts_with("crate::");
        let mut base = if from_root { &[] } else { above(own) };
        rest = &rest[at + "crate::".len()..];
        while let Some(after) = rest.strip_prefix("super::").filter(|_| !from_root) {
            (base, rest) = (above(base), after);
        }
        follow(base.to_vec(), rest, &mut found);
    }
    found
}

/// Returns the parent of a module.
fn above(module: &[String]) -> &[String] {
    module.split_last().map_or(&[], |(_, above)| above)
}

/// Adds the paths that continue `path` with `rest`, cut to two names.
fn follow(mut path: Vec<String>, rest: &str, found: &mut Vec<Vec<String>>) {
    if path.len() > 1 {
        path.truncate(2);
        found.push(path);
    } else if let Some(list) = rest.strip_prefix('{') {
        items(list).into_iter().for_each(|item| follow(path.clone(), item.trim(), found));
    } else {
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let after = rest[name.len()..].strip_prefix("::");
        path.push(name);
        match after {
            Some(after) => follow(path, after, found),
            None => found.push(path),
        }
    }
}

/// Returns the entries of a list in braces, whose opening brace is already read.
fn items(list: &str) -> Vec<&str> {
    let (mut items, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                items.push(&list[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
        if c == '}' && begin > at {
            break;
        }
    }
    items
}

/// Names in `lib.rs` that every module of the crate may use, although `lib.rs` is above them: macros, and a limit.
const FRONT_DOOR: &[(&str, &[&str])] = &[
    ("engine", &["Listed", "blocks", "choices", "ensure", "listed", "options"]),
    ("document", &["MAX_TEXT"]),
];

/// The layer of each name in a crate; 0 is the lowest layer.
type Layers = BTreeMap<String, usize>;

fn layers(drawing: Vec<Vec<String>>) -> Layers {
    drawing.into_iter().enumerate().flat_map(|(at, names)| names.into_iter().map(move |n| (n, at))).collect()
}

/// Whether a file of the module `own` may name `path`: only something in a lower layer, or in its own top-level
/// module.
fn is_below(layers: &Layers, own: &[String], path: &[String]) -> bool {
    let at = layers.get(&own[0]).unwrap_or_else(|| panic!("{} is in no layer of the drawing", own[0]));
    path[0] == own[0] || layers.get(&path[0]).is_some_and(|to| to < at)
}

/// Returns what the files of a crate name but may not, the number of files, and the number of permitted references.
fn looked_at(krate: &str) -> (Vec<String>, usize, usize) {
    let layers = layers(drawn(krate));
    let src = project().join("crates").join(krate).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let at_the_door = |path: &[String]| {
        FRONT_DOOR
            .iter()
            .any(|(of, names)| *of == krate && path.len() == 1 && names.contains(&path[0].as_str()))
    };
    let (mut wrong, mut arrows) = (Vec::new(), 0);
    for file in &files {
        let place = file.strip_prefix(&src).expect("a file of the crate");
        let mut own: Vec<String> =
            place.with_extension("").iter().map(|p| p.to_string_lossy().into_owned()).collect();
        own.pop_if(|last| last == "mod");
        if own == ["lib"] || own == ["main"] {
            continue;
        }
        for path in named(&own, &std::fs::read_to_string(file).expect("a source file")) {
            if at_the_door(&path) || is_below(&layers, &own, &path) {
                arrows += 1;
            } else {
                wrong.push(format!("{krate}: {} names `{}`", place.display(), path.join("::")));
            }
        }
    }
    (wrong, files.len(), arrows)
}

#[test]
fn no_file_uses_a_layer_above_its_own() {
    for (krate, least_files, least_arrows) in [
        ("engine", 50, 100),
        ("env", 2, 1),
        ("document", 2, 1),
        ("bot", 35, 50),
        ("dataset", 10, 25),
        ("trainer", 30, 60),
        ("server", 25, 60),
        ("text", 4, 1),
        ("report", 15, 50),
        ("tui", 8, 15),
        ("cli", 50, 100),
        ("wasm", 8, 20),
        ("python", 15, 40),
        ("xtask", 6, 8),
    ] {
        let (wrong, files, arrows) = looked_at(krate);
        assert!(wrong.is_empty(), "upward or sideways: {wrong:#?}");
        assert!(
            files >= least_files && arrows >= least_arrows,
            "{krate}: {arrows} arrows of {files} files were looked at"
        );
    }
}

/// Returns the module in which each name is that `lib.rs` re-exports.
fn re_exported(lib: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for rest in lib.split("pub use ").skip(1) {
        let path = rest.split(';').next().unwrap_or_default();
        let Some((module, names)) = path.split_once("::") else { continue };
        let names = names.strip_prefix('{').map_or_else(|| vec![names], items);
        found.extend(names.into_iter().map(|name| (name.trim().to_owned(), module.to_owned())));
    }
    found
}

/// Returns the top-level modules of a crate, and for each of them the others that it uses.
fn uses(src: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut files = Vec::new();
    sources(src, &mut files);
    let read = |file: &Path| std::fs::read_to_string(file).expect("a source file");
    let place = |file: &Path| -> Vec<String> {
        let place = file.strip_prefix(src).expect("a file of the crate").with_extension("");
        place.iter().map(|part| part.to_string_lossy().into_owned()).collect()
    };
    let modules: BTreeSet<String> =
        files.iter().map(|file| place(file)[0].clone()).filter(|name| name != "lib").collect();
    let re_exported = re_exported(&read(&src.join("lib.rs")));
    let mut uses: BTreeMap<String, BTreeSet<String>> =
        modules.iter().map(|name| (name.clone(), BTreeSet::new())).collect();
    for file in &files {
        let own = place(file);
        let Some(used) = uses.get_mut(&own[0]) else { continue };
        let named = named(&own, &read(file)).into_iter().map(|mut path| path.swap_remove(0));
        let named = named.map(|name| re_exported.get(&name).cloned().unwrap_or(name));
        used.extend(named.filter(|name| modules.contains(name) && *name != own[0]));
    }
    uses
}

/// Returns the modules that use each other in a circle, and those that use a module of the circle.
fn in_a_circle(mut uses: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let left: BTreeSet<String> = uses.keys().cloned().collect();
        uses.retain(|_, used| !used.is_disjoint(&left));
        if uses.len() == left.len() {
            return uses;
        }
    }
}

#[test]
fn no_files_of_a_game_use_each_other_in_a_circle() {
    let games = ["climbing", "dalmuti", "poker", "tachtigen", "tahimi", "taki"];
    let games = games.map(|game| format!("crates/games/{game}/src"));
    for src in games.iter().map(String::as_str).chain(["examples/crazy-eights/src"]) {
        let uses = uses(&project().join(src));
        let arrows: usize = uses.values().map(BTreeSet::len).sum();
        assert!(
            uses.len() >= 8 && arrows >= 15,
            "{src}: {arrows} arrows of {} modules were looked at",
            uses.len()
        );
        let circle = in_a_circle(uses);
        assert!(circle.is_empty(), "{src}: {circle:#?}");
    }
    let two = |a: &str, b: &str| (a.to_owned(), BTreeSet::from([b.to_owned()]));
    assert_eq!(in_a_circle([two("a", "b"), two("b", "c"), two("c", "b")].into()).len(), 3);
    assert!(in_a_circle([two("a", "b"), two("b", "c"), ("c".to_owned(), BTreeSet::new())].into()).is_empty());
}

/// Splits a path such as `games::dalmuti` into names.
fn path(text: &str) -> Vec<String> {
    text.split("::").map(str::to_owned).collect()
}

#[test]
fn every_arrow_of_a_file_is_seen() {
    let seen = |own: &str, text: &str| -> Vec<String> {
        named(&path(own), text).iter().map(|path| path.join("::")).collect()
    };
    assert_eq!(seen("any", "use crate::runtime::session::Session;\n//! crate::any"), ["runtime::session"]);
    assert_eq!(seen("any", "use crate::{choices, options};"), ["choices", "options"]);
    assert_eq!(
        seen("any", "use crate::games::{taki, poker::{self, Rules}, GAMES}; use crate::any;"),
        ["games::taki", "games::poker", "games::GAMES", "any"]
    );
    assert_eq!(
        seen(
            "games::kuhn::deck",
            "super::cards(); super::super::leduc::f(); super::super::{taki::Round, GAMES}"
        ),
        ["games::kuhn", "games::leduc", "games::taki", "games::GAMES"]
    );
    assert_eq!(
        seen("any", "fn f() { crate::game::x() }\n#[cfg(test)]\nmod tests {\nuse crate::games::GAMES;"),
        ["game::x"]
    );
}

#[test]
fn arrows_upward_and_sideways_are_refused() {
    let layers = layers(drawn("engine"));
    let may = |own: &str, other: &str| is_below(&layers, &path(own), &path(other));
    assert!(
        may("runtime::session", "game") && may("any", "conformance::Suite") && may("testing", "any::AnyGame")
    );
    // Upward.
    assert!(!may("game::play", "runtime::session") && !may("any", "testing::leaks") && !may("base", "any"));
    // Sideways, and to a module that is in no layer.
    assert!(!may("testing", "endless") && !may("runtime::session", "nowhere"));
}
