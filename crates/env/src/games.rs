//! The one list of games.

pub mod climbing;
pub mod dalmuti;
pub mod kuhn;
pub mod leduc;
pub mod poker;
pub mod tachtigen;
pub mod tahimi;
pub mod taki;
#[cfg(test)]
mod testing;

use crate::any::{AnyGame, Erased};

/// Every game; those that are for reference only come last.
pub const GAMES: &[&dyn AnyGame] = &[
    &Erased::<tahimi::Round>::new(),
    &Erased::<dalmuti::Round>::new(),
    &Erased::<taki::Round>::new(),
    &Erased::<tachtigen::Round>::new(),
    &Erased::<kuhn::Round>::new(),
    &Erased::<leduc::Round>::new(),
];

/// The games that people play: all but those for reference.
pub fn played() -> impl Iterator<Item = &'static dyn AnyGame> {
    GAMES.iter().copied().filter(|game| !game.is_reference())
}

/// The game with this name.
pub fn game(name: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|g| g.name() == name)
}
