//! Invariants that all climbing games share, recomputed from scratch: seats, tricks, exchanges.

mod cards;
mod course;
mod exchange;

use cardsharp_engine::game::ensure;
use cardsharp_engine::{MAX_SEATS, Seat};

pub use cards::{with, without};
pub use course::{Course, WildsAlone};
pub use exchange::{Gifts, dealt, pair};

/// Checks that `order` and `position` describe the same `players` of the session's `seats`. `position` must return
/// `None` for all other seats.
///
/// # Errors
/// A message that names the contradiction.
pub fn seats(
    order: &[Seat; MAX_SEATS],
    position: impl Fn(usize) -> Option<u8>,
    (players, seats): (u8, u8),
) -> Result<(), String> {
    let (order, rest) = order.split_at(usize::from(players));
    ensure!(rest.iter().all(|&seat| seat == Seat(0)), "`order` names more seats than there are players");
    ensure!(
        (usize::from(seats)..MAX_SEATS).all(|seat| position(seat).is_none()),
        "`position` names more positions than there are players"
    );
    for (p, seat) in order.iter().enumerate() {
        ensure!(seat.0 < seats, "seat {} in `order` of {seats} players", seat.0);
        ensure!(
            position(seat.index()).map(usize::from) == Some(p),
            "`order` and `position` disagree about seat {}",
            seat.0
        );
    }
    for seat in (0..seats).filter(|&seat| order.iter().all(|other| other.0 != seat)) {
        if let Some(p) = position(usize::from(seat)) {
            return Err(format!("seat {seat} does not play, but has position {p}"));
        }
    }
    Ok(())
}

/// Checks that the viewer's decision `ask` is one of the `possible` ones. `possible` contains the value for no decision
/// where the viewer may have none.
///
/// # Errors
/// The decision, and the possible ones.
pub fn asked<A: PartialEq + std::fmt::Debug>(ask: &A, possible: &[A]) -> Result<(), String> {
    ensure!(possible.contains(ask), "{ask:?} is asked of the viewer, who expects one of {possible:?}");
    Ok(())
}

/// Checks who decides: before the play only the player at position `asking`, and during the play no player.
///
/// # Errors
/// How many players are asked, or that the player at `asking` is not.
pub fn asking(is_asked: [bool; MAX_SEATS], asking: u8, in_play: bool) -> Result<(), String> {
    let asked = is_asked.iter().filter(|&&is_asked| is_asked).count();
    ensure!(asked == usize::from(!in_play), "{asked} players are asked");
    if !in_play {
        let is_asked = is_asked.get(usize::from(asking)).ok_or("no player sits where a decision is due")?;
        ensure!(*is_asked, "position {asking} decides but is not asked");
    }
    Ok(())
}
