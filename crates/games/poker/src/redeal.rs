//! Determinizing: draws the other player's card and the one to be turned up, consistent with a view.

use std::marker::PhantomData;

use cardsharp_engine::game::Redeal;
use cardsharp_engine::rng::DealRng;

use super::cards::deck;
use super::rules::SEATS;
use super::table::Own;
use super::{Round, Variant, View};

impl<V: Variant> Redeal for Round<V> {
    fn redeal(view: View<'_, V>, mut rng: DealRng) -> Option<Self> {
        let mut cards = deck(V::SUITS);
        cards.remove(view.own.card);
        view.table.board.iter().for_each(|&card| cards.remove(card));
        rng.draw(|draw| draw.shuffle(cards.as_mut_slice()));
        let [theirs, hidden, ..] = cards.cards;
        let mut own = [Own { card: theirs }; SEATS];
        own[view.seat.index()] = *view.own;
        let board = (V::STAKES.bets.len() > 1).then(|| view.table.board.unwrap_or(hidden));
        Some(Self { table: *view.table, own, board, variant: PhantomData })
    }
}
