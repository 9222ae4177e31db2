//! Rounds in words and cards.

use serde_json::Value;

#[cfg(not(target_family = "wasm"))]
use super::Scene;
use super::{Play, View};
use crate::ground::Seat;

/// Whether what a move is played for came about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Such a move is played for nothing of the kind.
    Nothing,
    /// It is not known yet; as things stand it does.
    Ahead,
    /// It is not known yet; as things stand it does not.
    Behind,
    /// It did.
    Reached,
    /// It did not.
    Missed,
}

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
    /// The view part by part, for a front end that arranges it; by default the picture, line by line. Not in browsers, where the
    /// page knows the games.
    #[cfg(not(target_family = "wasm"))]
    fn scene(view: View<'_, Self>) -> Scene {
        let table = Self::picture(view).lines().map(str::to_owned).collect();
        Scene { table, hand: Scene::groups(&Self::hand(view)), ..Scene::default() }
    }
    /// The viewer's cards, in card notation with spaces between; empty in a game that has none to tell of.
    fn hand(_view: View<'_, Self>) -> String {
        String::new()
    }
    /// Whether the viewer is somebody's partner, which the others need not know; none where nobody has one.
    fn is_partner(_view: View<'_, Self>) -> Option<bool> {
        None
    }
    /// The aim of moves in this position, in players' words, as a statement that is true once it is reached ("no player
    /// tops it"); none if there is no such aim.
    fn purpose(&self) -> Option<&'static str> {
        None
    }
    /// Whether the move that `seat` made in `before` reached the [purpose](Narrate::purpose) it had there, as this round shows, which
    /// has come of it. Asked right after the move and after every further one, until it is known.
    fn aim(&self, _before: &Self, _seat: Seat) -> Aim {
        Aim::Nothing
    }
}
