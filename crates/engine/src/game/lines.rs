//! The lines of a trace, as types.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Narrate;

/// Typed forms of what [`Narrate`] writes in traces, for schemas and for programs that read traces.
pub trait Lines: Narrate {
    /// The form of [`Narrate::describe_deal`].
    type Deal: Serialize + DeserializeOwned + JsonSchema;
    /// The form of an entry of [`Narrate::events`].
    type Event: Serialize + DeserializeOwned + JsonSchema;
}
