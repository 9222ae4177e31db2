//! Values for JavaScript.

use js_sys::JSON;
use serde::Serialize;
use wasm_bindgen::{JsError, JsValue};

/// Something with a JSON form, as an object.
pub(crate) fn object(value: &impl Serialize) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value)?;
    // What `serde_json` has written is JSON.
    JSON::parse(&text).map_err(|_| JsError::new("internal error: JavaScript cannot parse this JSON"))
}
