//! Tables over HTTP: people and bots at one table, event streams, advice.
//!
//! A [`Server`] is made from [`Options`] and runs until a future completes. [`openapi`] describes its endpoints, and
//! `docs/server.md` is the guide.
//!
//! A request passes through `serve` (connections and timeouts), `client` (its address) and `monitor` (metrics and log).
//! Then `guard` checks its host and origin, `addresses` checks the limits of its address, and an `endpoint` of `api`
//! answers it.
//!
//! A table has two parts. The `feed` has the event logs, which all streams read; it is locked only for moments. The
//! `live` part has the session; one task at a time holds it, for a step of the rules and a write to the disk. Bots that
//! search do so outside of both, on the threads of `thinking`. The `registry` has all tables.
//!
//! A [`Site`] is a smaller server for pages on this machine: a callback answers by path, and a folder of files can be
//! served, too.
//!
//! A server needs a clock for timeouts, and the system's randomness for secrets. Games and bots get neither.

mod addresses;
mod answers;
mod api;
mod catalog;
mod client;
mod clock;
mod deals;
mod emotes;
mod endpoint;
mod feed;
mod files;
mod guard;
mod journal;
mod limits;
mod live;
mod monitor;
mod now;
mod openapi;
mod players;
mod refusal;
mod registry;
mod secret;
mod serve;
mod server;
mod site;
mod start;
mod stream;
mod thinking;

pub use catalog::{CatalogError, NamedNetwork};
pub use deals::{DealsError, Published, Salt};
pub use limits::Limits;
pub use registry::{DataError, Notices};
pub use server::{Options, Server};
pub use site::{PageResponse, Site};
pub use start::{StartError, until};

/// The OpenAPI description of the server, as JSON.
pub fn openapi() -> serde_json::Value {
    openapi::describe(&api::endpoints())
}
