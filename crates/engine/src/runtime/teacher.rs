//! Type-erased explanations of a game.

use std::marker::PhantomData;

use serde_json::Value;

use super::seat_view::SeatView;
use crate::base::{ActionId, Seat};
use crate::game::{Happened, KeyedText, Teach, Texts, Tint};

/// A step of a round, to explain its consequences.
#[derive(Copy, Clone)]
pub struct StepViews<'a> {
    /// A view from before the step; `None` for a deal.
    pub before: Option<SeatView<'a>>,
    /// The seat that moved, and its action.
    pub chosen: Option<(Seat, ActionId)>,
    /// A view from after the step.
    pub after: SeatView<'a>,
    /// The events in the person's event log.
    pub events: &'a [Value],
    /// Returns the name of a seat.
    pub who: &'a dyn Fn(Seat) -> String,
}

/// Names the texts that explain a game, for a front end with its translations: a type-erased part of [`Teach`]. It has no
/// answers for views of another game.
pub trait Explainer: Send {
    /// The name of the text that explains the decision in a phase.
    fn phase(&self, phase: &str) -> Option<&'static str>;
    /// The name of the text that explains what a move does, if the move's label does not.
    fn means(&self, view: SeatView<'_>, action: ActionId) -> Option<&'static str>;
    /// The text that explains why an action is not legal for the viewing seat, which must choose.
    fn why_not(&self, view: SeatView<'_>, action: ActionId) -> Option<KeyedText>;
}

/// Explains a game to people in English: a type-erased [`Teach`].
pub trait Teacher: Explainer {
    /// Returns the game's texts for people.
    fn words(&self) -> &Texts;
    /// The rules, as a page in Markdown.
    fn rules(&self) -> &'static str;
    /// What the game is about.
    fn lesson(&self) -> String;
    /// Whether a legal move belongs to those listed first.
    fn is_likely(&self, view: SeatView<'_>, action: ActionId) -> bool;
    /// The consequences of a step beyond the move itself, one sentence each.
    fn consequences(&self, step: StepViews<'_>) -> Vec<String>;
    /// How to read and type the notation of cards and moves, one line each.
    fn legend(&self) -> &'static [&'static str];
    /// A card in players' words; `None` if the word is no card, or if players say the notation.
    fn named_card(&self, word: &str) -> Option<String>;
    /// A move in players' words, from its label.
    fn named_move(&self, label: &str) -> String;
    /// The color of a word, if its cards have one.
    fn tint(&self, word: &str) -> Option<Tint>;

    /// A move in players' words, in the color of its card.
    fn move_piece(&self, label: &str) -> Piece {
        let tint = label.split(' ').find_map(|word| self.tint(word));
        Piece { text: capitalized(&self.named_move(label)), tint }
    }
    /// The cards of a group in a hand in players' words. A color is named once: `Red 5, Stop`.
    fn hand_pieces(&self, group: &[String]) -> Vec<Piece> {
        let name = |noted: &String| self.named_card(noted).unwrap_or_else(|| noted.clone());
        let names: Vec<String> = group.iter().map(name).collect();
        let color = |name: &String| name.split_once(' ').map(|(color, _)| color.to_owned());
        let common = names.first().and_then(color).filter(|first| {
            let shared = |name: &String| color(name).as_ref() == Some(first);
            names.iter().all(shared)
        });
        let gap = if names.iter().any(|name| name.contains(' ')) { ", " } else { " " };
        let mut pieces = Vec::new();
        for (at, (name, noted)) in names.iter().zip(group).enumerate() {
            let rest = common.as_ref().filter(|_| at > 0).and_then(|color| name.strip_prefix(color.as_str()));
            let text = rest.map_or_else(|| capitalized(name), |rest| rest.trim_start().to_owned());
            if at > 0 {
                pieces.push(Piece { text: gap.to_owned(), tint: None });
            }
            pieces.push(Piece { text, tint: self.tint(noted) });
        }
        pieces
    }
    /// The pieces of a text, with its cards in players' words and in their colors.
    fn pieces(&self, text: &str) -> Vec<Piece> {
        let in_word = |c: char| c.is_alphanumeric() || c == '+';
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c| in_word(c) != in_word(first)).unwrap_or(rest.len());
            let (word, later) = rest.split_at(end);
            let text = self.named_card(word).unwrap_or_else(|| word.to_owned());
            pieces.push(Piece { text, tint: self.tint(word) });
            rest = later;
        }
        pieces
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A part of a text, in one color.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Its color; `None` for the usual one.
    pub tint: Option<Tint>,
}

/// The [`Teacher`] of game `G`.
pub struct Taught<G> {
    words: Texts,
    of: PhantomData<fn() -> G>,
}

impl<G: Teach> Taught<G> {
    /// Creates the teacher with the texts of the game. The game's tests check that they can be read.
    pub fn new() -> Self {
        Self { words: Texts::read(G::WORDS).unwrap_or_default(), of: PhantomData }
    }
}

/// Creates the [`Explainer`], without texts.
impl<G: Teach> Default for Taught<G> {
    fn default() -> Self {
        Self { words: Texts::default(), of: PhantomData }
    }
}

impl<G: Teach> Explainer for Taught<G> {
    fn phase(&self, phase: &str) -> Option<&'static str> {
        G::asks(phase)
    }
    fn means(&self, view: SeatView<'_>, action: ActionId) -> Option<&'static str> {
        G::means(view.typed::<G>()?, action)
    }
    fn why_not(&self, view: SeatView<'_>, action: ActionId) -> Option<KeyedText> {
        G::why_not(view.typed::<G>()?, action)
    }
}

impl<G: Teach> Teacher for Taught<G> {
    fn words(&self) -> &Texts {
        &self.words
    }
    fn rules(&self) -> &'static str {
        G::RULES
    }
    fn lesson(&self) -> String {
        self.words.say(&G::lesson(), &[])
    }
    fn is_likely(&self, view: SeatView<'_>, action: ActionId) -> bool {
        view.typed::<G>().is_none_or(|view| G::is_likely(view, action))
    }
    fn consequences(&self, step: StepViews<'_>) -> Vec<String> {
        let Some(after) = step.after.typed::<G>() else { return Vec::new() };
        let before = step.before.and_then(SeatView::typed::<G>).map(|view| view.table);
        let StepViews { chosen, events, who, .. } = step;
        G::consequences(&self.words, Happened { before, chosen, after: after.table, events, who })
    }
    fn legend(&self) -> &'static [&'static str] {
        G::LEGEND
    }
    fn named_card(&self, word: &str) -> Option<String> {
        G::named_card(&self.words, word)
    }
    fn named_move(&self, label: &str) -> String {
        G::named_move(&self.words, label)
    }
    fn tint(&self, word: &str) -> Option<Tint> {
        G::tint(word)
    }
}
