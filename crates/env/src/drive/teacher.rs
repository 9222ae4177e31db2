//! A game explained, without its types.

use std::marker::PhantomData;

use serde_json::Value;

use super::seat_view::SeatView;
use crate::game::{Happened, Teach, Tint, Words};
use crate::ground::{ActionId, Seat};

/// A step of a round, for whoever tells what came of it.
#[derive(Copy, Clone)]
pub struct Step<'a> {
    /// A view from before; none of a deal.
    pub before: Option<SeatView<'a>>,
    /// Who chose what.
    pub chosen: Option<(Seat, ActionId)>,
    /// A view from after.
    pub after: SeatView<'a>,
    /// The events that the person was told of.
    pub events: &'a [Value],
    /// What seats are called.
    pub who: &'a dyn Fn(Seat) -> String,
}

/// Explains a game to people: [`Teach`] without types. Of views of another game it says nothing.
pub trait Teacher: Send {
    /// The rules, as a page in Markdown.
    fn rules(&self) -> &'static str;
    /// What the game is about.
    fn lesson(&self) -> String;
    /// What is to be decided in a phase.
    fn phase(&self, phase: &str) -> Option<String>;
    /// What a move does, where its name does not say it.
    fn means(&self, view: SeatView<'_>, action: ActionId) -> Option<String>;
    /// Why an action is not legal for the viewing seat, which must choose.
    fn why_not(&self, view: SeatView<'_>, action: ActionId) -> Option<String>;
    /// Whether a legal move is among those that are listed first.
    fn is_likely(&self, view: SeatView<'_>, action: ActionId) -> bool;
    /// What came of a step besides the move itself, a sentence each.
    fn told(&self, step: Step<'_>) -> Vec<String>;
    /// The color of a word, where cards have one.
    fn tint(&self, word: &str) -> Option<Tint>;
}

/// The [`Teacher`] of game `G`.
pub struct Taught<G> {
    words: Words,
    of: PhantomData<fn() -> G>,
}

impl<G: Teach> Taught<G> {
    /// With the words of the game, which its tests have read.
    pub fn new() -> Self {
        Self { words: Words::read(G::WORDS).unwrap_or_default(), of: PhantomData }
    }
}

impl<G: Teach> Default for Taught<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Teach> Teacher for Taught<G> {
    fn rules(&self) -> &'static str {
        G::RULES
    }
    fn lesson(&self) -> String {
        self.words.say(&G::lesson(), &[])
    }
    fn phase(&self, phase: &str) -> Option<String> {
        G::asks(phase).map(|name| self.words.say(name, &[]))
    }
    fn means(&self, view: SeatView<'_>, action: ActionId) -> Option<String> {
        G::means(view.typed::<G>()?, action).map(|name| self.words.say(name, &[]))
    }
    fn why_not(&self, view: SeatView<'_>, action: ActionId) -> Option<String> {
        G::why_not(&self.words, view.typed::<G>()?, action)
    }
    fn is_likely(&self, view: SeatView<'_>, action: ActionId) -> bool {
        view.typed::<G>().is_none_or(|view| G::is_likely(view, action))
    }
    fn told(&self, step: Step<'_>) -> Vec<String> {
        let Some(after) = step.after.typed::<G>() else { return Vec::new() };
        let before = step.before.and_then(SeatView::typed::<G>).map(|view| view.table);
        let Step { chosen, events, who, .. } = step;
        G::told(&self.words, Happened { before, chosen, after: after.table, events, who })
    }
    fn tint(&self, word: &str) -> Option<Tint> {
        G::tint(word)
    }
}
