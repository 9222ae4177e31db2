//! Playthroughs and counts of legal sequences, as they were when they were last looked at. After a
//! change that is meant, `UPDATE_GOLDEN=1 cargo test -p cardsharp-env --test golden` writes them anew.
//!
//! Each game has a file here that says what is played through and counted, and its golden files in
//! `src/games/<game>/golden/`.

mod dalmuti;
mod playthrough;
mod sequences;
mod tachtigen;
mod tahimi;
mod taki;

use std::path::PathBuf;

use cardsharp_env::mask::Mask;
use cardsharp_env::{ActionId, Draw, Game, Seat, View};

/// What the golden files of a game are made of.
trait Golden: Game {
    /// What the game calls a round.
    const ROUND: &'static str;
    /// What is played through, a file each.
    fn variants() -> Vec<Variant<Self>>;
    /// Whether a decision shows all of its view, and not only the actions.
    fn is_shown(view: View<'_, Self>) -> bool;
    /// The rules under which legal sequences are counted, with a word about their options.
    fn counted() -> Vec<(&'static str, Self::Rules)>;
}

/// A random session of these rules in which `wanted` holds at some moment of the first round.
struct Variant<G: Game> {
    name: &'static str,
    rules: G::Rules,
    wanted: fn(&G) -> bool,
}

/// Where the golden files of a game are.
fn folder<G: Game>() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "src/games", G::NAME, "golden"].iter().collect()
}

/// Compares with a file of the game's golden folder, or writes it.
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
    // A file that nothing compares would grow old unseen.
    for file in std::fs::read_dir(folder::<G>()).expect("the golden folder") {
        let name = file.expect("a file of the golden folder").file_name();
        let known = G::variants().iter().any(|variant| *format!("{}.txt", variant.name) == *name);
        assert!(known || name == "sequences.txt", "nothing compares {}", name.display());
    }
}
