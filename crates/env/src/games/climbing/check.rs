//! What must hold of any climbing game, recomputed from scratch: seats, the course of play, exchanges.

mod cards;
mod course;
mod exchange;

use crate::game::ensure;
use crate::ground::{MAX_SEATS, Seat};

pub use cards::{with, without};
pub use course::{Course, WildsAlone};
pub use exchange::{Gifts, dealt, pair};

/// Checks that `order` and `position` tell of the same players: `players` of the session's `seats`.
/// `position` has none for all others.
///
/// # Errors
/// Which of them is wrong.
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

/// Checks that the viewer is asked something he can be asked, or can be left unasked.
///
/// # Errors
/// What he is asked, and what is possible.
pub fn asked<A: PartialEq + std::fmt::Debug>(ask: &A, possible: &[A]) -> Result<(), String> {
    ensure!(possible.contains(ask), "{ask:?} is asked of the viewer, who expects one of {possible:?}");
    Ok(())
}

/// Checks that exactly one position, `asking`, decides before the play, and none in it.
///
/// # Errors
/// How many are asked, or that this one is not.
pub fn asking(is_asked: [bool; MAX_SEATS], asking: u8, in_play: bool) -> Result<(), String> {
    let asked = is_asked.iter().filter(|&&is_asked| is_asked).count();
    ensure!(asked == usize::from(!in_play), "{asked} players are asked");
    if !in_play {
        let is_asked = is_asked.get(usize::from(asking)).ok_or("no player sits where a decision is due")?;
        ensure!(*is_asked, "position {asking} decides but is not asked");
    }
    Ok(())
}
