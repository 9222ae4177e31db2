//! Full hands consistent with a view.
use super::{Round, View};
use crate::rng::DealRng;
/// Draft.
pub fn redeal(_view: View<'_>, _rng: DealRng) -> Round {
    unreachable!()
}
