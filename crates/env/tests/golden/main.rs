//! Golden files: playthroughs and counts of legal sequences. After an intended change, run
//! `UPDATE_GOLDEN=1 cargo test -p cardsharp-env --test golden` to write them anew.
//!
//! Each game has a file here that says what to play and to count, and its golden files in
//! `crates/games/<game>/golden/`.

mod dalmuti;
mod playthrough;
mod sequences;
mod tachtigen;
mod tahimi;
mod taki;

use std::path::PathBuf;

use cardsharp_env::mask::Mask;
use cardsharp_env::{ActionId, Draw, Game, Seat, View};

/// The content of a game's golden files.
trait Golden: Game {
    /// The game's word for a round.
    const ROUND: &'static str;
    /// The variants to play through, one file each.
    fn variants() -> Vec<Variant<Self>>;
    /// Whether a decision shows the whole view, and not only the actions.
    fn is_shown(view: View<'_, Self>) -> bool;
    /// The rules under which legal sequences are counted, each with a short description.
    fn counted() -> Vec<(&'static str, Self::Rules)>;
}

/// A random session by these rules in which `wanted` is true at some point of the first round.
struct Variant<G: Game> {
    name: &'static str,
    rules: G::Rules,
    wanted: fn(&G) -> bool,
}

/// Returns the folder of a game's golden files.
fn folder<G: Game>() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../games", G::NAME, "golden"].iter().collect()
}

/// Compares with a golden file of the game, or writes it.
fn golden<G: Game>(name: &str, found: &str) {
    let path = folder::<G>().join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(folder::<G>()).expect("the golden folder can be made");
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

fn random_action<G: Game>(round: &G, seat: Seat, draw: &mut Draw) -> ActionId {
    let legal = G::legal(round.view(seat));
    legal.random(draw).expect("there is a legal action")
}

/// Compares all golden files of a game.
fn all_are_as_they_were<G: Golden>() {
    for variant in G::variants() {
        golden::<G>(&format!("{}.txt", variant.name), &playthrough::of(&variant));
    }
    golden::<G>("sequences.txt", &sequences::table::<G>());
    // A file that nothing compares would become outdated unnoticed.
    for file in std::fs::read_dir(folder::<G>()).expect("the golden folder") {
        let name = file.expect("a file of the golden folder").file_name();
        let known = G::variants().iter().any(|variant| *format!("{}.txt", variant.name) == *name);
        assert!(known || name == "sequences.txt", "nothing compares {}", name.display());
    }
}
