//! The four seats.

use cardsharp_engine::Seat;

use super::rules::PLAYERS;

/// Number of seats.
pub(super) const SEATS: usize = PLAYERS as usize;

/// One value for each seat.
pub type Each<T> = [T; SEATS];

/// All four seats.
pub(super) const ALL_SEATS: Each<Seat> = [Seat(0), Seat(1), Seat(2), Seat(3)];

/// The seat `n` places clockwise from `seat`.
#[inline]
pub(super) const fn clockwise(seat: Seat, n: u8) -> Seat {
    Seat((seat.0 + n) & 3)
}
