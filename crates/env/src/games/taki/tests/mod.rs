//! The rules of TAKI as tests, chapter by chapter in the order of the game. They speak cards and
//! labels; what the engine should do is written out, not computed from its own tables.

mod deck;
mod effects;
mod encodings;
mod endgame;
mod ending;
mod habits;
mod information;
mod invariants;
mod last_card;
mod memory;
mod options;
mod pile;
mod records;
mod referee;
mod row;
mod run;
pub(in crate::games::taki) mod situation;
mod start;
mod statistics;
mod tournament;
mod turn;
mod window;
