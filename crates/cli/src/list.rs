//! The games of this command.

use std::sync::OnceLock;

use cardsharp_env::{AnyGame, Games};

/// Global, because parsers of arguments have no other access to it.
static GAMES: OnceLock<Games> = OnceLock::new();

/// Sets the list, unless it was used before.
pub(crate) fn set(games: Games) {
    GAMES.get_or_init(|| games);
}

pub(crate) fn games() -> &'static Games {
    GAMES.get_or_init(Games::shipped)
}

/// Returns the game with this name.
pub(crate) fn game(name: &str) -> Option<&'static dyn AnyGame> {
    games().named(name)
}
