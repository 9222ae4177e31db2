//! Type-erased ways to play any game: sessions, tables for people, batches for learners, and playouts for search.
//! Also event logs and their observers, replays, enumerated rounds, and speed measurements.

pub mod batch;
pub mod difference;
pub mod enumerate;
pub mod log;
pub mod observer;
pub mod replay;
pub mod seat_view;
pub mod session;
pub mod speed;
pub mod table;
pub mod teacher;
