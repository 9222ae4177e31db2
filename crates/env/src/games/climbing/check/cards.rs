//! Adding and taking away cards that may not be there.

use crate::game::ensure;
use crate::ground::hands::Counts;

/// `all` without `part`, or what is missing.
///
/// # Errors
/// `what`, with both in card notation by `text`.
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

/// Both together.
///
/// # Errors
/// There are more cards than any deck holds.
pub fn with<const N: usize>(some: &Counts<N>, more: &Counts<N>) -> Result<Counts<N>, String> {
    let mut all = *some;
    for (n, m) in all.0.iter_mut().zip(&more.0) {
        *n = n.checked_add(*m).ok_or_else(|| "no deck has that many cards".to_owned())?;
    }
    Ok(all)
}
