//! Tables over HTTP: people and bots at one table, event streams, advice.
//!
//! A [`Server`] is made of [`Options`] and runs until it is told to stop. What it serves is described by [`openapi`], and in
//! words in `docs/server.md`.
//!
//! What is where: requests come in at `serve` (connections and their times), pass `guard` (which pages may ask) and reach
//! an `endpoint` of `api`. A table has a `front`, which is locked for moments and from which all streams read, and a `live`
//! side with the session itself, which one at a time may hold as long as a bot thinks. The `hall` knows all tables.
//!
//! A [`Site`] is a smaller server beside it, for pages of this machine: what a caller answers by path, and a folder of files.
//!
//! A server needs a clock, for time limits, and the system's randomness, for secrets; games and bots get neither of them.

mod api;
mod endpoint;
mod front;
mod guard;
mod hall;
mod journal;
mod limits;
mod live;
mod openapi;
mod refusal;
mod secret;
mod serve;
mod server;
mod shelf;
mod site;
mod start;
mod stream;

pub use hall::DataError;
pub use journal::JournalError;
pub use limits::Limits;
pub use live::ReplayError;
pub use server::{Options, Server};
pub use shelf::{Named, ShelfError};
pub use site::{Answer, Site};
pub use start::{StartError, until};

/// The OpenAPI description of the server, as JSON.
pub fn openapi() -> serde_json::Value {
    openapi::describe(&api::endpoints())
}
