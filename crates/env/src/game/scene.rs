//! What stands where on a table, for front ends that arrange it themselves.

use crate::ground::Seat;

/// A table as one seat sees it, part by part: what [`Narrate::picture`](super::Narrate::picture) tells in one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Which round it is, of how many.
    pub round: String,
    /// Who plays, in the order that matters in the game.
    pub players: Vec<Seated>,
    /// What lies on the table and what else everybody knows of the round, a line each.
    pub table: Vec<String>,
    /// The viewer's cards, in the groups in which a person holds them.
    pub hand: Vec<Vec<String>>,
}

/// One player of a [`Scene`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seated {
    /// Where he sits.
    pub seat: Seat,
    /// Cards left; none once he is out.
    pub cards: Option<u32>,
    /// Points in the session so far; none in a game without.
    pub points: Option<i32>,
    /// Title, bid, what he did last: whatever else there is to say of him, the most important first.
    pub notes: Vec<String>,
    /// Whether everybody waits for him. Never set where nobody may know whose turn it is.
    pub is_turn: bool,
}

impl Scene {
    /// Groups of cards from a hand that is written `7 7 | 9 | J`.
    pub fn groups(hand: &str) -> Vec<Vec<String>> {
        let groups = hand.split('|').map(|group| group.split_whitespace().map(str::to_owned).collect());
        groups.filter(|group: &Vec<String>| !group.is_empty()).collect()
    }
}
