//! Hands as text: the names of the cards, best first, with spaces between them.

use std::fmt::Write;

use crate::ground::hands::Counts;

/// Cards in card notation: `K 7 7`.
pub fn to_text<const N: usize>(cards: &Counts<N>, name: impl Fn(usize) -> &'static str) -> String {
    let mut text = String::new();
    for rank in cards.cards() {
        let gap = if text.is_empty() { "" } else { " " };
        // Writing to a String cannot fail.
        let _ = write!(text, "{gap}{}", name(rank));
    }
    text
}

/// Reads cards in card notation; any order, any letter case.
///
/// # Errors
/// The word that is not a card.
pub fn from_text<const N: usize>(
    text: &str,
    name: impl Fn(usize) -> &'static str,
    expected: &str,
) -> Result<Counts<N>, String> {
    let mut cards = Counts::NONE;
    for word in text.split_whitespace() {
        let rank = (0..N).find(|&rank| name(rank).eq_ignore_ascii_case(word));
        let rank = rank.ok_or_else(|| format!("`{word}` is not a card: expected {expected}"))?;
        cards.0[rank] = cards.0[rank].saturating_add(1);
    }
    Ok(cards)
}
