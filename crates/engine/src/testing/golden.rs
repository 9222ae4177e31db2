//! Golden files: playthroughs and counts of legal sequences, compared with files in the folder of the game. After an
//! intended change, run its tests with `UPDATE_GOLDEN=1` to write them anew.

mod playthrough;
mod sequences;

use std::path::Path;

use crate::game::{Game, View};

/// The content of a game's golden files.
pub trait Golden: Game {
    /// The game's word for a round.
    const ROUND: &'static str;
    /// The variants to play through, one file each.
    fn variants() -> Vec<GoldenVariant<Self>>;
    /// Whether a decision shows the whole view, and not only the actions.
    fn is_shown(view: View<'_, Self>) -> bool;
    /// The rules under which legal sequences are counted, each with a short description.
    fn counted() -> Vec<(&'static str, Self::Rules)>;
}

/// A random session by these rules in which `wanted` is true at some point of the first round.
pub struct GoldenVariant<G: Game> {
    /// The name of its file, without extension.
    pub name: &'static str,
    /// The rules of the session.
    pub rules: G::Rules,
    /// What has to happen at some point.
    pub wanted: fn(&G) -> bool,
}

/// Compares with a golden file of the game, or writes it.
fn compare(folder: &Path, name: &str, found: &str) {
    let path = folder.join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(folder).expect("the golden folder can be made");
        std::fs::write(&path, found).expect("the golden file can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (mut old, mut new) = (expected.lines(), found.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (old, new) if old == new => {}
            (old, new) => panic!(
                "{name}, line {number}:\n  was {}\n  is  {}\nUPDATE_GOLDEN=1 writes it anew if that is meant.",
                old.unwrap_or("(the end)"),
                new.unwrap_or("(the end)")
            ),
        }
    }
}

/// Compares all golden files of a game, which are in `folder`.
///
/// # Panics
/// A file differs, is missing, or is not compared with anything.
pub fn all_are_as_they_were<G: Golden>(folder: impl AsRef<Path>) {
    let folder = folder.as_ref();
    for variant in G::variants() {
        compare(folder, &format!("{}.txt", variant.name), &playthrough::of(&variant));
    }
    compare(folder, "sequences.txt", &sequences::table::<G>());
    // A file that nothing compares would become outdated unnoticed.
    for file in std::fs::read_dir(folder).expect("the golden folder") {
        let name = file.expect("a file of the golden folder").file_name();
        let known = G::variants().iter().any(|variant| *format!("{}.txt", variant.name) == *name);
        assert!(known || name == "sequences.txt", "nothing compares {}", name.display());
    }
}
