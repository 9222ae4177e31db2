//! What a seat can foresee with certainty.

use serde::Serialize;

use super::Play;
use super::view::View;
use crate::base::Seat;
use crate::base::hands::Positions;

/// How far a view determines the results of moves.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Foresight {
    /// Hidden cards may matter at once.
    #[default]
    Nothing,
    /// As long as only the viewing seat has a choice, and nothing hidden has an effect ([`Foresee::is_foreseen`]).
    OwnTurn,
    /// To the end: every round that fits the view continues identically.
    Round,
}

/// A packed position; see [`Foresee::key`].
pub type Key = [u64; 5];

/// What the endgame solver needs: how far a view determines the rest of a round in spite of hidden cards. With the
/// default methods it determines nothing.
pub trait Foresee: Play {
    /// How far the view of a seat with a decision determines the results of moves.
    fn foresight(_view: View<'_, Self>) -> Foresight {
        Foresight::Nothing
    }
    /// Whether the viewing seat could foresee from its view of `before` what the action there led to. It was the seat's
    /// own action, or the only legal one of another seat, which must then have no other in any round that fits the view.
    /// Called where the foresight is [`Foresight::OwnTurn`].
    fn is_foreseen(&self, _before: &Self, _viewer: Seat) -> bool {
        true
    }
    /// The seats with the same interest as `seat` in the rest of the round; all others have the opposite interest.
    /// Called where the whole round is foreseen.
    fn side(&self, seat: Seat) -> Positions {
        Positions(0).with(seat.0, true)
    }
    /// Bounds of the reward that `seat` can still get: least and greatest. They may be wide; they are equal only if the
    /// reward is certain. Called only while the round is not over.
    fn stakes(&self, _seat: Seat) -> [f32; 2] {
        [f32::NEG_INFINITY, f32::INFINITY]
    }
    /// The position as a key for stored results. Two unfinished rounds with the same key have the same value, if
    /// they started from the same round. `None` if the position is not worth storing.
    fn key(&self) -> Option<Key> {
        None
    }
    /// Removes legal actions from mask words if they are worth the same as a remaining one. Called where the whole
    /// round is foreseen.
    fn thin(&self, _legal: &mut [u64]) {}
}
