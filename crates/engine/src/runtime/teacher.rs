//! Type-erased explanations of a game.

use std::marker::PhantomData;

use serde_json::Value;

use super::seat_view::SeatView;
use crate::base::{ActionId, Seat};
use crate::game::{Happened, Teach, Text, Texts, Tint};

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
    fn why_not(&self, view: SeatView<'_>, action: ActionId) -> Option<Text>;
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
    /// The color of a word, if its cards have one.
    fn tint(&self, word: &str) -> Option<Tint>;
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
    fn why_not(&self, view: SeatView<'_>, action: ActionId) -> Option<Text> {
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
    fn tint(&self, word: &str) -> Option<Tint> {
        G::tint(word)
    }
}
