//! Consistency checks of views and hands.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Check, ViewError};
use cardsharp_engine::rules::Rules as _;

use super::betting::Betting;
use super::round::SEATS;
use super::{Round, Variant, View};

impl<V: Variant> Check for Round<V> {
    fn check_view(view: View<'_, V>) -> Result<(), ViewError> {
        let table = view.table;
        table.rules.check()?;
        let impossible = |what: String| Err(ViewError::Impossible(what));
        if usize::from(view.seat.0) >= SEATS {
            return impossible(format!("seat {} of {} players", view.seat.0, SEATS));
        }
        if table.suits != V::SUITS {
            return impossible(format!("a deck of {} suits; {} has {}", table.suits, V::TITLE, V::SUITS));
        }
        if !(1..=table.rules.hands).contains(&table.hand) {
            return impossible(format!("hand {} of a session of {}", table.hand, table.rules.hands));
        }
        let Some(betting) = Betting::after(&V::STAKES, table.acts.as_slice()) else {
            return impossible(format!("these actions break the rules: {:?}", table.acts.as_slice()));
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
            return impossible(format!("{} is in two places", view.own.card));
        }
        Ok(())
    }

    fn audit(&self) -> Result<(), String> {
        for seat in 0..self.own.len() {
            let seat = Seat(seat as u8);
            Self::check_view(View::<V> { seat, table: &self.table, own: &self.own[seat.index()] })
                .map_err(|error| error.to_string())?;
        }
        let cards = [Some(self.own[0].card), Some(self.own[1].card), self.board];
        if cards.iter().enumerate().any(|(i, card)| card.is_some() && cards[..i].contains(card)) {
            return Err(format!("a card is in two places: {cards:?}"));
        }
        if self.table.board.is_some() && self.table.board != self.board {
            return Err(format!("{:?} was turned up, not {:?}", self.table.board, self.board));
        }
        Ok(())
    }
}
