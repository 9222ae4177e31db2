//! The rules of Tachtigen as tests, in the order of the game. They use cards and labels, and state the
//! expected results explicitly instead of computing them with the engine's tables.

mod auction;
mod calling;
mod contract;
mod deck;
mod determinize;
mod event_logs;
mod fixed;
mod follow;
mod full_deal;
mod golden;
mod habits;
mod information;
mod invariants;
mod ladder;
mod leaks;
mod moves;
mod options;
mod roem;
mod row;
mod score;
mod session;
pub(super) mod situation;
mod statistics;
mod views;

mod conformance {
    cardsharp_engine::conformance_tests!(crate::Round);
}
