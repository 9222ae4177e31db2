//! Text between people and the command: reads named inputs with limits, escapes foreign characters, and formats
//! numbers.

pub mod escape;
pub mod format;
pub mod input;
