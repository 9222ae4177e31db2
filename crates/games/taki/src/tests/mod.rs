//! The rules of TAKI as tests, in the order of the game. They use cards and labels, and state the expected
//! results explicitly instead of computing them with the engine's tables.

mod deck;
mod effects;
mod encodings;
mod endgame;
mod ending;
mod event_logs;
mod golden;
mod habits;
mod information;
mod invariants;
mod last_card;
mod leaks;
mod memory;
mod options;
mod pile;
mod referee;
mod row;
mod run;
pub(crate) mod situation;
mod start;
mod statistics;
mod tournament;
mod turn;
mod views;
mod window;

mod conformance {
    cardsharp_engine::conformance_tests!(crate::Round);
}
