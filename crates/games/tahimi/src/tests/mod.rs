//! Tests of the rules of Tahimi, in the order of the game. They use cards and labels. Expected results are written out,
//! not computed from the engine's tables.

mod deal;
mod deck;
mod decree;
mod encodings;
mod event_logs;
mod figures;
mod golden;
mod habits;
mod house_rules;
mod information;
mod invariants;
mod leaks;
mod names;
mod narrate;
mod options;
mod play;
mod roster;
mod row;
mod row_others;
mod score;
mod session;
mod setup;
mod situation;
mod tax;
mod twins;
mod views;

mod conformance {
    cardsharp_engine::conformance_tests!(crate::Round);
}
