//! The rules of Tachtigen as tests, chapter by chapter in the order of the game. They speak cards and
//! labels; what the engine should do is written out, not computed from its own tables.

mod auction;
mod calling;
mod contract;
mod deck;
mod fixed;
mod follow;
mod full_deal;
mod habits;
mod information;
mod invariants;
mod ladder;
mod moves;
mod options;
mod records;
mod redeal;
mod roem;
mod row;
mod score;
mod session;
pub(super) mod situation;
mod statistics;
