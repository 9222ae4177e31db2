//! The bots that ship with the project, as bytes, and the puzzles of their games. This folder is a crate so that a
//! package of `cardsharp-bot` can embed them: a package contains no files from outside its folder.
#![no_std]
#![warn(missing_docs)]

/// A bot that ships with the project.
#[derive(Copy, Clone)]
pub struct Shipped {
    /// The game that it plays, which is also its name.
    pub game: &'static str,
    /// The weights: the content of `bot.safetensors`.
    pub network: &'static [u8],
    /// The strength levels: the content of `levels.json`.
    pub levels: &'static [u8],
    /// Its model of beliefs, if it has one.
    pub beliefs: Option<&'static [u8]>,
    /// Its name, version and license, as JSON.
    pub identity: &'static [u8],
    /// Its measurements, as JSON.
    pub arena: &'static [u8],
    /// The model card, as Markdown.
    pub card: &'static str,
    /// Puzzles of its game, as JSON.
    pub puzzles: &'static str,
}

#[cfg(feature = "bots")]
macro_rules! content {
    ($game:literal, $file:literal) => {
        include_bytes!(concat!($game, "/bot/", $file))
    };
}

#[cfg(feature = "bots")]
macro_rules! bundle {
    ($game:literal, $beliefs:expr) => {
        Shipped {
            game: $game,
            network: content!($game, "bot.safetensors"),
            levels: content!($game, "levels.json"),
            beliefs: $beliefs,
            identity: content!($game, "identity.json"),
            arena: content!($game, "arena.json"),
            card: include_str!(concat!($game, "/bot/card.md")),
            puzzles: include_str!(concat!($game, "/puzzles.json")),
        }
    };
}

/// All shipped bots; empty without the feature `bots`.
pub const SHIPPED: &[Shipped] = &[
    #[cfg(feature = "bots")]
    bundle!("tahimi", None),
    #[cfg(feature = "bots")]
    bundle!("dalmuti", Some(content!("dalmuti", "beliefs.safetensors"))),
    #[cfg(feature = "bots")]
    bundle!("taki", None),
    #[cfg(feature = "bots")]
    bundle!("tachtigen", None),
];
