//! Legality by the words of the rules, invariants, and views from outside.

use super::betting::{Act, Betting};
use super::{Round, Variant, View};
use crate::game::ActionId;
use crate::games::ViewError;
use crate::rules::Rules as _;

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

/// The invariants of a round.
pub(super) fn audit<V: Variant>(round: &Round<V>) -> Result<(), String> {
    for seat in 0..round.own.len() {
        let seat = crate::game::Seat(seat as u8);
        check_view(View::<V> { seat, table: &round.table, own: &round.own[seat.index()] })
            .map_err(|error| error.to_string())?;
    }
    let cards = [Some(round.own[0].card), Some(round.own[1].card), round.board];
    if cards.iter().enumerate().any(|(i, card)| card.is_some() && cards[..i].contains(card)) {
        return Err(format!("a card lies in two places: {cards:?}"));
    }
    if round.table.board.is_some() && round.table.board != round.board {
        return Err(format!("{:?} was turned up, not {:?}", round.table.board, round.board));
    }
    Ok(())
}

/// Refuses a view that cannot occur.
pub(super) fn check_view<V: Variant>(view: View<'_, V>) -> Result<(), ViewError> {
    let table = view.table;
    table.rules.check()?;
    let impossible = |what: String| Err(ViewError::Impossible(what));
    if usize::from(view.seat.0) >= super::SEATS {
        return impossible(format!("seat {} of {} players", view.seat.0, super::SEATS));
    }
    if table.suits != V::SUITS {
        return impossible(format!("a deck of {} suits; {} has {}", table.suits, V::TITLE, V::SUITS));
    }
    if !(1..=table.rules.hands).contains(&table.hand) {
        return impossible(format!("hand {} of a session of {}", table.hand, table.rules.hands));
    }
    let Some(betting) = Betting::after(&V::STAKES, table.acts.as_slice()) else {
        return impossible(format!("these acts break the rules: {:?}", table.acts.as_slice()));
    };
    if table.board.is_some() != (betting.street > 0) {
        return impossible(format!(
            "{:?} was turned up in betting round {}",
            table.board,
            betting.street + 1
        ));
    }
    let cards = [Some(view.own.card), table.board];
    if let Some(card) = cards.into_iter().flatten().find(|card| card.suit() >= V::SUITS) {
        return impossible(format!("{card} is not in the deck"));
    }
    if table.board == Some(view.own.card) {
        return impossible(format!("{} lies in two places", view.own.card));
    }
    Ok(())
}
