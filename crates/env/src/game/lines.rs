//! The lines of a trace, as types.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Narrate;

/// What [`Narrate`] tells in traces, as types: for schemas, and for programs that read traces.
pub trait Lines: Narrate {
    /// What [`Narrate::describe_deal`] tells.
    type Deal: Serialize + DeserializeOwned + JsonSchema;
    /// What [`Narrate::events`] tells.
    type Event: Serialize + DeserializeOwned + JsonSchema;
}
