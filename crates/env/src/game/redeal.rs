//! Rounds that a view allows.

use super::{Play, View};
use crate::ground::rng::DealRng;

/// Dealing again what a seat cannot see.
pub trait Redeal: Play {
    /// A full round, drawn at random, that is consistent with all the view proves: its view of the
    /// same seat equals `view`. None if no round looks like this, which happens to no view of a round
    /// and to none that [`Check::check_view`](super::Check::check_view) accepts.
    fn redeal(view: View<'_, Self>, rng: DealRng) -> Option<Self>;
    /// Whether the viewer's decision is one of an auction, in which players bid for what they undertake. Bids tell of the cards
    /// behind them what deals drawn anew do not know, so that a search may leave them to somebody who does.
    fn is_auction(_view: View<'_, Self>) -> bool {
        false
    }
}
