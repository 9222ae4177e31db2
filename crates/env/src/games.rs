//! The list of games, and extended lists.

pub use cardsharp_climbing as climbing;
pub use cardsharp_dalmuti as dalmuti;
pub use cardsharp_poker::{kuhn, leduc};
pub use cardsharp_tachtigen as tachtigen;
pub use cardsharp_tahimi as tahimi;
pub use cardsharp_taki as taki;

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use cardsharp_engine::game::Schemas;
use cardsharp_engine::rules::RuleSet;
use cardsharp_engine::{AnyGame, Explainer, Teacher};

/// Declares the lists of games: those that people play, then those for reference only.
macro_rules! list {
    ($($game:ident),*; $($reference:ident),*) => {
        /// Every game; games for reference only come last.
        pub static GAMES: LazyLock<Vec<&'static dyn AnyGame>> =
            LazyLock::new(|| vec![$($game::game(),)* $($reference::game(),)*]);

        /// The schemas of every game, in the same order. This is a separate list, so that a program without schemas
        /// does not contain them.
        pub static SCHEMAS: LazyLock<Vec<Schemas>> =
            LazyLock::new(|| vec![$($game::schemas(),)* $($reference::schemas(),)*]);

        /// Returns the teacher of the game with this name; `None` for games for reference only and games of other
        /// crates. This is not a method of games, so that a program without explanations does not contain them.
        pub fn teacher(name: &str) -> Option<Box<dyn Teacher>> {
            $(if name == $game::game().name() {
                return Some($game::teacher());
            })*
            None
        }

        /// Returns the explainer of the game with this name; see [`teacher`].
        pub fn explainer(name: &str) -> Option<Box<dyn Explainer>> {
            $(if name == $game::game().name() {
                return Some($game::explainer());
            })*
            None
        }

        /// Returns the rule sets of the game with this name; none for games for reference only and games of other crates.
        /// Like [`teacher`], this is not a method of games.
        pub fn rule_sets(name: &str) -> &'static [RuleSet] {
            $(if name == $game::game().name() {
                return $game::RULE_SETS;
            })*
            &[]
        }
    };
}

list!(tahimi, dalmuti, taki, tachtigen; kuhn, leduc);

/// The games that people play: all except those for reference only.
pub fn played() -> impl Iterator<Item = &'static dyn AnyGame> {
    GAMES.iter().copied().filter(|game| !game.is_reference())
}

/// The game with this name.
pub fn game(name: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|g| g.name() == name)
}

/// A list of games to find by name: those of this crate, and any that were added.
#[derive(Clone)]
pub struct Games(Cow<'static, [&'static dyn AnyGame]>);

/// Two games have the same name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are two games named `{0}`: expected a name that no other game has")]
pub struct NameTaken(&'static str);

impl Games {
    /// Creates the list of this crate's games.
    pub fn shipped() -> Self {
        Self(Cow::Borrowed(&GAMES))
    }

    /// Creates a list with only this game.
    pub fn only(game: &'static dyn AnyGame) -> Self {
        Self(Cow::Owned(vec![game]))
    }

    /// Adds a game to the list.
    ///
    /// # Errors
    /// The list already has a game with this name.
    pub fn with(mut self, game: &'static dyn AnyGame) -> Result<Self, NameTaken> {
        if self.named(game.name()).is_some() {
            return Err(NameTaken(game.name()));
        }
        self.0.to_mut().push(game);
        Ok(self)
    }

    /// Iterates over all games, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn AnyGame> {
        self.0.iter().copied()
    }

    /// The games that people play: all except those for reference only.
    pub fn played(&self) -> impl Iterator<Item = &'static dyn AnyGame> {
        self.iter().filter(|game| !game.is_reference())
    }

    /// The game with this name.
    pub fn named(&self, name: &str) -> Option<&'static dyn AnyGame> {
        self.iter().find(|game| game.name() == name)
    }
}

impl Default for Games {
    fn default() -> Self {
        Self::shipped()
    }
}

/// Lists are equal if they have games of the same names in the same order.
impl PartialEq for Games {
    fn eq(&self, other: &Self) -> bool {
        self.iter().map(|game| game.name()).eq(other.iter().map(|game| game.name()))
    }
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|game| game.name())).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{GAMES, Games};

    #[test]
    fn a_name_stands_for_one_game() {
        let games = Games::shipped();
        assert_eq!(games.named(GAMES[1].name()).map(|game| game.title()), Some(GAMES[1].title()));
        assert!(games.named("whist").is_none());
        let error = games.with(GAMES[0]).unwrap_err();
        assert!(error.to_string().contains(GAMES[0].name()), "{error}");
    }
}
