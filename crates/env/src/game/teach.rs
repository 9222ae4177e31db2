//! A game explained to whoever plays it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Game, View};
use crate::ground::{ActionId, Seat};

/// Texts by name, with places in braces. The page in the browser says the same ones.
#[derive(Clone, Debug, Default)]
pub struct Words(BTreeMap<String, String>);

impl Words {
    /// The texts of these files, each a JSON object.
    ///
    /// # Errors
    /// One of them is none.
    pub fn read(files: &[&str]) -> Result<Self, serde_json::Error> {
        let mut words = BTreeMap::new();
        for file in files {
            words.append(&mut serde_json::from_str(file)?);
        }
        Ok(Self(words))
    }

    /// The text of this name with its places filled; the name itself where there is none.
    pub fn say(&self, name: &str, places: &[(&str, &str)]) -> String {
        let text = self.0.get(name).map_or(name, String::as_str);
        places
            .iter()
            .fold(text.to_owned(), |text, (place, value)| text.replace(&format!("{{{place}}}"), value))
    }
}

/// A color that a word is shown in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Tint {
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
}

/// A step of a round, for whoever tells what came of it.
pub struct Happened<'a, G: Game> {
    /// What everybody knew before; none of a deal.
    pub before: Option<&'a G::Table>,
    /// Who chose what.
    pub chosen: Option<(Seat, ActionId)>,
    /// What everybody knows now.
    pub after: &'a G::Table,
    /// The events that the person was told of.
    pub events: &'a [Value],
    /// What seats are called.
    pub who: &'a dyn Fn(Seat) -> String,
}

/// What somebody is told who does not know the game yet. For programs that people type into; those that are fetched do without.
pub trait Teach: Game {
    /// The rules, as a page in Markdown.
    const RULES: &'static str;
    /// Files of texts: see [`Words`].
    const WORDS: &'static [&'static str];

    /// The name of the text that tells what the game is about.
    fn lesson() -> String {
        format!("{}.lesson", Self::NAME)
    }
    /// The name of the text that tells what is to be decided in a phase, if there is one.
    fn asks(phase: &str) -> Option<&'static str>;
    /// The name of the text that tells what a move does, where its name does not say it.
    fn means(view: View<'_, Self>, action: ActionId) -> Option<&'static str>;
    /// Why an action is not legal for the viewing seat, which must choose.
    fn why_not(words: &Words, view: View<'_, Self>, action: ActionId) -> Option<String>;
    /// Whether a legal move is among those that are listed first; the others are for whoever asks.
    fn is_likely(_view: View<'_, Self>, _action: ActionId) -> bool {
        true
    }
    /// What came of a step besides the move itself, a sentence each.
    fn told(words: &Words, happened: Happened<'_, Self>) -> Vec<String>;
    /// The color of a word, where cards have one.
    fn tint(_word: &str) -> Option<Tint> {
        None
    }
}
