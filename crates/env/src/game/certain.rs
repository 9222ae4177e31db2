//! What a seat knows for certain of how a round goes on.

use serde::Serialize;

use super::Play;
use super::view::View;
use crate::ground::Seat;
use crate::ground::hands::Positions;

/// How far a view determines what moves lead to.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Foresight {
    /// What is hidden matters at once.
    #[default]
    Nothing,
    /// As long as the viewing seat decides, and nothing hidden comes in ([`Certain::is_foreseen`]).
    OwnTurn,
    /// To the end: every round that the view allows goes on alike.
    Round,
}

/// A position, packed: [`Certain::key`].
pub type Key = [u64; 5];

/// Certain things are certain, in spite of hidden cards. A game that says nothing here has none, and whoever plays it
/// exactly plays nothing.
pub trait Certain: Play {
    /// How far a view that has a decision determines what moves lead to.
    fn foresight(_view: View<'_, Self>) -> Foresight {
        Foresight::Nothing
    }
    /// Whether what `seat`, whose turn it was in `before`, knew there told it that this would come of its action. Asked
    /// where its foresight is that of its own turn.
    fn is_foreseen(&self, _before: &Self, _seat: Seat) -> bool {
        true
    }
    /// The seats for which the rest of the round goes as well as for `seat`; all others want the opposite. Asked where the
    /// whole round is foreseen.
    fn side(&self, seat: Seat) -> Positions {
        Positions(0).with(seat.0, true)
    }
    /// The least and the greatest reward that `seat` can still have: bounds that may be wide. Of a round that is not over.
    fn stakes(&self, _seat: Seat) -> [f32; 2] {
        [f32::NEG_INFINITY, f32::INFINITY]
    }
    /// Of rounds that came of the same one and are not over those that have the same key are worth the same. None of a position that
    /// is not worth remembering.
    fn key(&self) -> Option<Key> {
        None
    }
    /// Leaves out of the legal actions, as mask words, those that are worth what one that stays is. Asked where the whole round is
    /// foreseen.
    fn thin(&self, _legal: &mut [u64]) {}
}
