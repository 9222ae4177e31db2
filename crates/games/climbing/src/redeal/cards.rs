//! Arithmetic on cards, and values by position.

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::hands::Counts;

/// One value per position.
pub type Each<T> = [T; MAX_SEATS];

/// The cards of `all` that exceed those of `part`, rank by rank; never negative.
pub fn beyond<const N: usize>(all: &Counts<N>, part: &Counts<N>) -> Counts<N> {
    let mut rest = *all;
    rest.0.iter_mut().zip(&part.0).for_each(|(n, p)| *n = n.saturating_sub(*p));
    rest
}

/// The cards of both together.
pub fn sum<const N: usize>(a: &Counts<N>, b: &Counts<N>) -> Counts<N> {
    let mut all = *a;
    all.add(b);
    all
}
