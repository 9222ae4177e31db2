//! Explanations of a game for the people who play it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Game, View};
use crate::base::{ActionId, Seat};

/// A text by name, with the values of its placeholders: what to say, in any language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyedText {
    /// The name of the text.
    pub name: &'static str,
    /// The value of each placeholder, with cards in card notation.
    pub values: BTreeMap<&'static str, String>,
}

impl KeyedText {
    /// Creates a text without placeholders.
    pub fn new(name: &'static str) -> Self {
        Self { name, values: BTreeMap::new() }
    }

    /// Sets the value of a placeholder.
    pub fn with(mut self, place: &'static str, value: impl ToString) -> Self {
        self.values.insert(place, value.to_string());
        self
    }
}

/// English texts by name, with placeholders in braces. The web page uses the same texts, and has them in other
/// languages.
#[derive(Clone, Debug, Default)]
pub struct Texts(BTreeMap<String, String>);

impl Texts {
    /// Reads the texts of these files, each a JSON object.
    ///
    /// # Errors
    /// A file is not a JSON object of texts.
    pub fn read(files: &[&str]) -> Result<Self, serde_json::Error> {
        let mut words = BTreeMap::new();
        for file in files {
            words.append(&mut serde_json::from_str(file)?);
        }
        Ok(Self(words))
    }

    /// Returns a text with its placeholders filled. If there is no such text, returns its name.
    pub fn text(&self, text: &KeyedText) -> String {
        let values: Vec<(&str, &str)> =
            text.values.iter().map(|(&place, value)| (place, value.as_str())).collect();
        self.say(text.name, &values)
    }

    /// Returns the text of this name with its placeholders filled. If there is no such text, returns the name.
    pub fn say(&self, name: &str, places: &[(&str, &str)]) -> String {
        let text = self.0.get(name).map_or(name, String::as_str);
        places
            .iter()
            .fold(text.to_owned(), |text, (place, value)| text.replace(&format!("{{{place}}}"), value))
    }
}

/// Texts about cards and moves that several games share. The web page has the same ones.
pub const COMMON_WORDS: &str = include_str!("words.json");

/// A color that a word is shown in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the colors")]
pub enum Tint {
    Red,
    Blue,
    Green,
    Yellow,
}

/// A step of a round, to explain its consequences.
pub struct Happened<'a, G: Game> {
    /// The public state before the step; `None` for a deal.
    pub before: Option<&'a G::PublicState>,
    /// The seat that moved, and its action.
    pub chosen: Option<(Seat, ActionId)>,
    /// The public state after the step.
    pub after: &'a G::PublicState,
    /// The events in the person's event log.
    pub events: &'a [Value],
    /// Returns the name of a seat.
    pub who: &'a dyn Fn(Seat) -> String,
}

/// Explanations for people who do not know the game yet.
pub trait Teach: Game {
    /// The rules, as a page in Markdown.
    const RULES: &'static str;
    /// Files of texts: see [`Texts`].
    const WORDS: &'static [&'static str];

    /// The name of the text that explains what the game is about.
    fn lesson() -> String {
        format!("{}.lesson", Self::NAME)
    }
    /// The name of the text that explains the decision in a phase, if there is one.
    fn asks(phase: &str) -> Option<&'static str>;
    /// The name of the text that explains what a move does, if the move's label does not.
    fn means(view: View<'_, Self>, action: ActionId) -> Option<&'static str>;
    /// The text that explains why an action is not legal for the viewing seat, which must choose.
    fn why_not(view: View<'_, Self>, action: ActionId) -> Option<KeyedText>;
    /// Whether a legal move belongs to those listed first; people see the others on request.
    fn is_likely(_view: View<'_, Self>, _action: ActionId) -> bool {
        true
    }
    /// The consequences of a step beyond the move itself, one sentence each.
    fn consequences(words: &Texts, happened: Happened<'_, Self>) -> Vec<String>;
    /// A move in players' words, from its label: `red 5` for `R5`. By default the label.
    fn named_move(_words: &Texts, label: &str) -> String {
        label.to_owned()
    }
    /// A card in players' words, from card notation. `None` if the word is no card, or if players say the notation.
    fn named_card(_words: &Texts, _word: &str) -> Option<String> {
        None
    }
    /// How to read and type the notation of cards and moves, one line each.
    const LEGEND: &'static [&'static str] = &[];
    /// The color of a word, if its cards have one.
    fn tint(_word: &str) -> Option<Tint> {
        None
    }
}
