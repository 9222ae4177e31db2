//! Rounds in words and cards.

use serde_json::Value;

use super::{Play, View};

/// What traces and people are told.
pub trait Narrate: Play {
    /// Whether the cards are dealt: not where something is decided before.
    fn is_dealt(&self) -> bool {
        true
    }
    /// Everything dealt, in card notation, for traces (the content of the `deal` line); none before
    /// the cards are dealt. Asked right after the deal, while it still can be told from what is held.
    fn describe_deal(&self) -> Option<Value>;
    /// What happened between two states beyond the chosen action: chance after the deal, and cards
    /// that moved between players. `before` is none right after the deal.
    fn events(before: Option<&Self>, after: &Self) -> Vec<Value>;
    /// The view in words and cards, several lines, for a person at a terminal.
    fn picture(view: View<'_, Self>) -> String;
    /// The viewer's cards, in card notation with spaces between; empty in a game that has none to tell of.
    fn hand(_view: View<'_, Self>) -> String {
        String::new()
    }
    /// Whether the viewer is somebody's partner, which the others need not know; none where nobody has one.
    fn is_partner(_view: View<'_, Self>) -> Option<bool> {
        None
    }
}
