//! Rounds as text with cards: the lines of a trace, and a table part by part for front ends with their own layout.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Play, View};
use crate::base::Seat;

/// Whether a move reached its aim.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Such a move has no aim.
    Nothing,
    /// Not known yet; as things are, the move reaches it.
    Ahead,
    /// Not known yet; as things are, the move misses it.
    Behind,
    /// The move reached it.
    Reached,
    /// The move missed it.
    Missed,
}

/// What a move is played for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MovePurpose {
    /// Its name, by which front ends find it in other languages.
    pub name: &'static str,
    /// A statement in players' words that is true once the aim is reached, such as "no player tops it".
    pub statement: &'static str,
}

/// What traces and people see of a round.
pub trait Narrate: Play {
    /// Whether the cards are dealt; false during a decision before the deal.
    fn is_dealt(&self) -> bool {
        true
    }
    /// Everything dealt, in card notation: the content of the `deal` line of traces. `None` before the cards are
    /// dealt. Called right after the deal, while the round still has this information.
    fn describe_deal(&self) -> Option<Value>;
    /// Events between two states beyond the chosen action: chance after the deal, and cards that moved between
    /// players. `before` is `None` right after the deal.
    fn events(before: Option<&Self>, after: &Self) -> Vec<Value>;
    /// The view as several lines of text, for a person at a terminal.
    fn picture(view: View<'_, Self>) -> String;
    /// The view part by part, for a front end that arranges it. By default the lines of the picture, and the hand.
    fn scene(view: View<'_, Self>) -> Scene {
        let table = Self::picture(view).lines().map(str::to_owned).collect();
        Scene { table, hand: Scene::groups(&Self::hand(view)), ..Scene::default() }
    }
    /// The viewer's cards in card notation, separated by spaces; empty in a game that shows no hand.
    fn hand(_view: View<'_, Self>) -> String {
        String::new()
    }
    /// Whether the viewer is another seat's partner, which the others need not know; `None` if no seat has a
    /// partner.
    fn is_partner(_view: View<'_, Self>) -> Option<bool> {
        None
    }
    /// The aim of moves in this position, if they have one.
    fn purpose(&self) -> Option<MovePurpose> {
        None
    }
    /// Whether the move that `seat` made in `before` reached the [purpose](Narrate::purpose) it had there, judged
    /// by this later round. Called right after the move and after every later one, until the result is known.
    fn aim(&self, _before: &Self, _seat: Seat) -> Aim {
        Aim::Nothing
    }
}

/// Typed forms of what [`Narrate`] writes in traces, for schemas and for programs that read traces.
pub trait Lines: Narrate {
    /// The form of [`Narrate::describe_deal`].
    type Deal: Serialize + DeserializeOwned + JsonSchema;
    /// The form of an entry of [`Narrate::events`].
    type Event: Serialize + DeserializeOwned + JsonSchema;
}

/// A table as one seat sees it, part by part. [`Narrate::picture`] has the same as one
/// text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The number of the round, and how many there are.
    pub round: String,
    /// The players, in the order that matters in the game.
    pub players: Vec<Seated>,
    /// The cards on the table and other public information of the round, one line each.
    pub table: Vec<String>,
    /// The viewer's cards, in the groups in which a person holds them.
    pub hand: Vec<Vec<String>>,
}

/// One player of a [`Scene`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seated {
    /// The seat of the player.
    pub seat: Seat,
    /// Cards left; `None` once the player is out.
    pub cards: Option<u32>,
    /// Points in the session so far; `None` in a game without points.
    pub points: Option<i32>,
    /// Further notes on the player, such as title, bid and last move, the most important first.
    pub notes: Vec<String>,
    /// Whether everyone waits for this player. Never set if not everyone may know whose turn it is.
    pub is_turn: bool,
}

impl Scene {
    /// Splits a hand that is written as `7 7 | 9 | J` into groups of cards.
    pub fn groups(hand: &str) -> Vec<Vec<String>> {
        let groups = hand.split('|').map(|group| group.split_whitespace().map(str::to_owned).collect());
        groups.filter(|group: &Vec<String>| !group.is_empty()).collect()
    }
}
