use js_sys::JSON;
use serde::Serialize;
use wasm_bindgen::{JsError, JsValue};

/// Returns the JSON form of a value as a JavaScript object.
pub(crate) fn object(value: &impl Serialize) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value)?;
    // This cannot fail: `serde_json` writes valid JSON.
    JSON::parse(&text).map_err(|_| JsError::new("internal error: JavaScript cannot parse this JSON"))
}
