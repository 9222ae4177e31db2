//! The rules of The Great Dalmuti as tests, chapter by chapter in the order of the game. They speak
//! cards and labels; what the engine should do is written out, not computed from its own tables.

mod deal;
mod deck;
mod encodings;
mod exchange;
mod habits;
mod house_rules;
mod information;
mod invariants;
mod misdeal;
mod options;
mod play;
mod records;
mod records_refused;
mod revolution;
mod row;
mod row_others;
mod score;
mod session;
mod setup;
mod situation;
mod statistics;
mod tax;
