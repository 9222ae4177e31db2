//! Playing any game without knowing which: sessions, tables for people, batches for learners, rounds to
//! search in, records that play again, rounds written down whole, and what is timed.

pub mod batch;
pub mod enumerate;
pub mod playout;
pub mod replay;
pub mod seat_view;
pub mod session;
pub mod speed;
pub mod table;
