//! Labels of acts, and legality written directly from the rules.

use cardsharp_engine::ActionId;

use super::betting::{Act, Betting};
use super::{Variant, View};

/// Returns the label of an act: at this state of the betting, or in general without one.
pub(super) fn name(betting: Option<Betting>, act: Act) -> &'static str {
    let open = betting.is_some_and(|betting| !betting.faces_bet());
    match act {
        Act::Fold => "fold",
        Act::Call if open => "check",
        Act::Call => "call",
        Act::Raise if open => "bet",
        Act::Raise => "raise",
    }
}

/// Returns whether the viewing seat may do this. Considers only the list of acts, independent of [`Betting`].
pub(super) fn is_legal<V: Variant>(view: View<'_, V>, action: ActionId) -> bool {
    let mut left = view.table.acts.as_slice();
    let mut streets = 0;
    // A call ends a betting round, unless it is the first act.
    while let Some(end) = left.iter().skip(1).position(|&act| act == Act::Call) {
        left = &left[end + 2..];
        streets += 1;
    }
    let over = streets == V::STAKES.bets.len() || left.contains(&Act::Fold);
    let raises = left.iter().filter(|&&act| act == Act::Raise).count();
    let mine = view.table.seat(left.len() % 2) == view.seat;
    !over
        && mine
        && match action.0 {
            0 => left.last() == Some(&Act::Raise),
            1 => true,
            2 => raises < usize::from(V::STAKES.raises),
            _ => false,
        }
}
