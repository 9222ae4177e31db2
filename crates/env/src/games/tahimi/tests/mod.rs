//! The rules of Tahimi as tests, chapter by chapter in the order of the game. They speak cards and
//! labels; what the engine should do is written out, not computed from its own tables.

mod deal;
mod deck;
mod decree;
mod encodings;
mod habits;
mod house_rules;
mod information;
mod invariants;
mod names;
mod options;
mod play;
mod records;
mod roster;
mod row;
mod row_others;
mod score;
mod session;
mod setup;
mod situation;
mod tax;
mod told;
mod twins;
