//! The 33 cards: suits, ranks, values, and the order of ranks in plain suits and in trump.

mod card;
mod cards;
mod trump;

pub(super) use card::{ACE, CARDS, JACK, KING, QUEEN, TEN};
pub use card::{Card, Suit};
pub use cards::Cards;
pub use trump::Trump;
