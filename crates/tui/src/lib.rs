//! The full screen of a session: the table, the events, and the moves to choose from.
//!
//! The session has its own thread. It sends [`Message`]s to the screen, and receives the lines that the person would
//! have typed. So the screen reacts to keys while a bot thinks, and the same session also works without a screen.
//!
//! Data flows in one direction: messages and keys change the state, and drawing only reads it.

mod draw;
mod keys;
mod layout;
mod messages;
mod run;
mod state;
mod terminal;
#[cfg(test)]
mod tests;
mod text;

pub use messages::{Choices, EXPLANATION, Message, RESULTS, RoundResults, ScreenLink, TableView};
pub use run::{ScreenError, run};
pub use state::Screen;
pub use terminal::JobControl;
pub use text::ascii;
