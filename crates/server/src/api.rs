//! The endpoints, one file for each concern.

mod advise;
mod events;
mod games;
mod monitor;
mod moves;
mod open;
mod people;
mod ready;
mod saves;
mod seats;

use crate::endpoint::Endpoint;

/// All of them, in reading order.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    [
        games::endpoints(),
        advise::endpoints(),
        open::endpoints(),
        ready::endpoints(),
        events::endpoints(),
        moves::endpoints(),
        seats::endpoints(),
        people::endpoints(),
        saves::endpoints(),
        monitor::endpoints(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
