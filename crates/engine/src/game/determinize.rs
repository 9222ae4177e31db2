//! How a game deals the hidden cards of a view again.

use super::{Play, View};
use crate::base::rng::DealRng;

/// Deals again what a seat cannot see.
pub trait Determinize: Play {
    /// Draws a random full round that is consistent with the view: its view of the same seat equals `view`. `None`
    /// if no round fits. That never happens for the view of a round, nor for a view that
    /// [`Check::check_view`](super::Check::check_view) accepts.
    fn determinize(view: View<'_, Self>, rng: DealRng) -> Option<Self>;
    /// Whether the viewer's decision belongs to an auction, in which players bid for contracts. Bids tell about the
    /// cards behind them, and determinizations ignore this. So a search may leave bids to another policy.
    fn is_auction(_view: View<'_, Self>) -> bool {
        false
    }
}
