//! The games that this command knows.

use std::sync::OnceLock;

use cardsharp_env::{AnyGame, Games};

/// Kept once for the process: the parsers of arguments have no other place to look.
static GAMES: OnceLock<Games> = OnceLock::new();

/// Sets the list, if it was not asked for before.
pub(crate) fn set(games: Games) {
    GAMES.get_or_init(|| games);
}

/// All games.
pub(crate) fn games() -> &'static Games {
    GAMES.get_or_init(Games::shipped)
}

/// The game with this name.
pub(crate) fn game(name: &str) -> Option<&'static dyn AnyGame> {
    games().named(name)
}
