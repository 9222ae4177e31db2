//! The engine and its bots for JavaScript.
//!
//! What the library has, as an ES module: games and rules by name, tables, views, bots from bytes, records and
//! traces. `cargo run -p xtask -- web` makes the npm package of it; its README is this crate's.
//!
//! Everything that comes from JavaScript is read in `input` and refused there if it is not what it should be;
//! everything that goes there is written in `output`. Refusals are thrown as `Error`s with their messages.
//! Should the library panic in spite of all checks, that is thrown as an `Error` too.

mod answers;
mod bot;
mod games;
mod input;
mod observer;
mod review;
mod table;
mod view;

pub use answers::*;
pub use bot::{Bot, BotOptions, SearchOptions};
pub use games::{describe, games, rules};
pub use observer::Observer;
pub use review::{Review, ReviewOptions};
pub use table::Table;
pub use view::View;

use wasm_bindgen::prelude::wasm_bindgen;

/// What a panic says is thrown as an error, instead of a trap that says nothing.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| {
        wasm_bindgen::throw_str(&format!("internal error in cardsharp, please report it: {panic}"))
    }));
}
