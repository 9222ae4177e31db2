//! The best of several cards.

use crate::games::tachtigen::deck::{Card, Cards};

/// The card that scores most; the first of several.
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
