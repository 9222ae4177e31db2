//! The clock of searches by time.

use std::time::Duration;

use cardsharp_bot::bots::search::Clock;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// In browsers, workers and node.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Returns a clock that counts from the start of the page or process.
pub(crate) fn clock() -> Clock {
    std::sync::Arc::new(|| Duration::from_secs_f64((now() / 1000.0).max(0.0)))
}
