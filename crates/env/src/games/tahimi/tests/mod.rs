//! The rules of Tahimi as tests, chapter by chapter in the order of the game. They speak cards and
//! labels; what the engine should do is written out, not computed from its own tables.

mod deal;
mod deck;
mod encodings;
mod names;
mod options;
mod setup;
mod situation;
mod tax;
