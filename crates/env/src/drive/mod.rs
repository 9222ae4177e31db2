//! Playing any game without knowing which: sessions, tables for people, batches for learners, rounds to
//! search in, what seats are told and what they make of it, replays, rounds written down whole, and what is timed.

pub mod batch;
pub mod enumerate;
pub mod observer;
pub mod playout;
pub mod record;
pub mod replay;
pub mod seat_view;
pub mod session;
pub mod speed;
pub mod table;
pub mod teacher;
