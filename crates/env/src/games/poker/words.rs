//! Acts in the words of the rules: their names, and when they are legal.

use super::betting::{Act, Betting};
use super::{Variant, View};
use crate::ground::ActionId;

/// The name of an act where the betting stands like this, or in general.
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

/// Whether the viewing seat may do this, from the acts alone.
pub(super) fn is_legal<V: Variant>(view: View<'_, V>, action: ActionId) -> bool {
    let mut left = view.table.acts.as_slice();
    let mut streets = 0;
    // A betting round is complete with a call that is not its first act.
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
