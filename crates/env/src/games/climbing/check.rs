//! What must hold of any climbing game, recomputed from scratch: seats, the course of play, exchanges.

mod course;
mod exchange;

use crate::game::ensure;
use crate::ground::hands::Counts;
use crate::ground::{MAX_SEATS, Seat};

pub use course::{Course, WildsAlone};
pub use exchange::{Gifts, dealt, pair};

/// Checks that `order` and `position` tell of the same players: `players` of the session's `seats`.
/// The position of all others is `nobody`.
///
/// # Errors
/// Which of them is wrong.
pub fn seats(
    order: &[Seat; MAX_SEATS],
    position: &[u8; MAX_SEATS],
    (players, seats): (u8, u8),
    nobody: u8,
) -> Result<(), String> {
    let (order, rest) = order.split_at(usize::from(players));
    ensure!(rest.iter().all(|&seat| seat == Seat(0)), "`order` names seats beyond the players");
    ensure!(
        position[usize::from(seats)..].iter().all(|&p| p == nobody),
        "`position` names positions beyond the players"
    );
    for (p, seat) in order.iter().enumerate() {
        ensure!(seat.0 < seats, "seat {} in `order` of {seats} players", seat.0);
        ensure!(
            usize::from(position[seat.index()]) == p,
            "`order` and `position` disagree about seat {}",
            seat.0
        );
    }
    for seat in (0..seats).filter(|&seat| order.iter().all(|other| other.0 != seat)) {
        let p = position[usize::from(seat)];
        ensure!(p == nobody, "seat {seat} does not play, but has position {p}");
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
        let is_asked = is_asked.get(usize::from(asking)).ok_or("nobody sits where a decision is due")?;
        ensure!(*is_asked, "position {asking} decides but is not asked");
    }
    Ok(())
}

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
