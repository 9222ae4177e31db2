//! Addition and subtraction of cards that fail instead of wrapping.

use cardsharp_engine::game::ensure;
use cardsharp_engine::hands::Counts;

/// Removes `part` from `all`.
///
/// # Errors
/// If `all` does not contain `part`: the message `what`, followed by both in card notation (`text`).
pub fn without<const N: usize>(
    all: &Counts<N>,
    part: &Counts<N>,
    what: &str,
    text: impl Fn(&Counts<N>) -> String,
) -> Result<Counts<N>, String> {
    ensure!(all.contains(part), "{what}: {} are not all among {}", text(part), text(all));
    let mut rest = *all;
    rest.remove(part);
    Ok(rest)
}

/// Adds the cards of both.
///
/// # Errors
/// A count exceeds 255 cards.
pub fn with<const N: usize>(some: &Counts<N>, more: &Counts<N>) -> Result<Counts<N>, String> {
    let mut all = *some;
    for (n, m) in all.0.iter_mut().zip(&more.0) {
        *n = n.checked_add(*m).ok_or_else(|| "no deck has that many cards".to_owned())?;
    }
    Ok(all)
}
