//! Tests of the rules of The Great Dalmuti, in the order of the game. They use cards and labels. Expected results are
//! written out, not computed from the engine's tables.

mod deal;
mod deck;
mod encodings;
mod event_logs;
mod event_logs_refused;
mod exchange;
mod figures;
mod golden;
mod habits;
mod house_rules;
mod information;
mod invariants;
mod leaks;
mod misdeal;
mod options;
mod play;
mod revolution;
mod row;
mod row_others;
mod score;
mod session;
mod setup;
mod situation;
mod statistics;
mod tax;
mod views;

mod conformance {
    cardsharp_engine::conformance_tests!(crate::Round);
}
