//! A table part by part, for front ends with their own layout.

use crate::base::Seat;

/// A table as one seat sees it, part by part. [`Narrate::picture`](super::Narrate::picture) has the same as one
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
