//! Picking the card with the highest score.

use crate::deck::{Card, Cards};

/// Returns the card with the highest score; the first one of equal cards.
pub(super) fn best(cards: Cards, mut score: impl FnMut(Card) -> f32) -> Card {
    let mut chosen = (f32::MIN, Card::FIRST);
    for card in cards.iter() {
        let value = score(card);
        if value > chosen.0 {
            chosen = (value, card);
        }
    }
    chosen.1
}
